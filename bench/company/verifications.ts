/** The rows of verifications, with their attempts and the messages to webhooks, as the service leaves them. */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import { sealField } from '../../src/core/secrets/sealed-field.ts';
import { type Extent, requestAt, requestsOf } from './extent.ts';

const CHUNK = 50_000;
const GUESSES = 5;
export const CONFIRMED_HOOK = 'whk_company00000000000000000000000001';
export const FAILED_HOOK = 'whk_company00000000000000000000000002';

/** Random text of the same length as what the service writes in base64url. */
const text = (length: number) => `substr(hex(randomblob(${Math.ceil(length / 2)})), 1, ${length})`;

/**
 * Numbers are sealed and hashed with the installation's secret, each for its own row, so that pages open them and a search finds
 * them. Random text of the same length: MACs of codes, references of carriers, and tags of recipients, which no page shows.
 */
export async function writeVerifications(db: DatabaseSync, extent: Extent, secret: string): Promise<void> {
  let at = 0;
  const keyring = new Keyring(secret, undefined, () => at);
  const numberOf = (stem: unknown, number: unknown) =>
    `${stem}${String((Number(number) * 48_271) % 100_000).padStart(5, '0')}`;
  db.function('sealed_number', (id, stem, number, then) => {
    at = Number(then);
    return sealField(keyring, numberOf(stem, number), String(id), 'destination');
  });
  db.function(
    'hashed_number',
    (stem, number) => keyring.destinationHash(extent.accountId, false, numberOf(stem, number)).current,
  );
  const [verifications, attempts] = [INSERT_VERIFICATIONS, INSERT_ATTEMPTS].map((sql) =>
    db.prepare(requestsOf(extent) + sql),
  );
  const messages = db.prepare(requestsOf(extent) + INSERT_MESSAGES);
  const begin = requestAt(extent, extent.now - extent.kept.verifications);
  const told = requestAt(extent, extent.now - Math.min(extent.kept.events, extent.kept.verifications));
  for (let first = begin; first < extent.rows; first += CHUNK) {
    const last = Math.min(extent.rows, first + CHUNK);
    db.exec('BEGIN');
    verifications?.run({ first, last, accountId: extent.accountId });
    attempts?.run({ first, last });
    if (last > told) messages.run({ first: Math.max(first, told), last });
    db.exec('COMMIT');
    // So that an interrupt works.
    await nextTurn();
  }
}

/** As UUIDv7: in order of time, and here also made from the number, so that the other tables need no look-up. */
const ID = `'ver_' || printf('%012x7%019x', at, number)`;

const INSERT_VERIFICATIONS = `
  INSERT INTO verification (id, account_id, key_id, test, channel, country, destination_hash, destination_sealed,
    code_mac, guesses_left, created_at, expires_at, confirmed_at)
  SELECT ${ID}, :accountId, key_id, 0, channel, country, hashed_number(stem, number),
    sealed_number(${ID}, stem, number, at), '2~' || ${text(22)}, ${GUESSES} - (outcome = 'confirmed'),
    at, at + 600000, CASE outcome WHEN 'confirmed' THEN at + confirmed_ms END
  FROM drawn`;

const INSERT_ATTEMPTS = `
  INSERT INTO attempt (verification_id, fence, position, carrier, started_at, ended_at, outcome, reference, recipient_tag, reason,
    receipt, receipt_at, cost)
  SELECT ${ID}, 0, 0, carrier, at + 2, at + submitted_ms,
    CASE outcome WHEN 'failed' THEN 'permanent' ELSE 'accepted' END,
    CASE WHEN outcome <> 'failed' THEN lower(${text(32)}) END, '2~' || ${text(22)},
    CASE outcome WHEN 'failed' THEN 'the carrier does not serve this number' END,
    CASE outcome WHEN 'failed' THEN NULL WHEN 'undelivered' THEN 'undelivered' ELSE 'delivered' END,
    CASE WHEN outcome <> 'failed' THEN at + delivered_ms END, iif(outcome = 'failed', 0, cost)
  FROM drawn`;

/** One endpoint hears of confirmations, the other of what failed. Of two hundred messages one was given up. */
const INSERT_MESSAGES = `
  INSERT INTO webhook_message (id, webhook_id, type, verification_id, carrier, at, due_at, tries, last_try_at, last_answer,
    failures, sent_at)
  SELECT printf('msg_%012x%020x', at, number), iif(outcome = 'confirmed', '${CONFIRMED_HOOK}', '${FAILED_HOOK}'),
    CASE outcome WHEN 'confirmed' THEN 'verification.confirmed' WHEN 'failed' THEN 'delivery.failed'
      ELSE 'delivery.undelivered' END,
    ${ID}, carrier, at + confirmed_ms, NULL, 1, at + confirmed_ms + 200, iif(number % 200, '200', '500'),
    iif(number % 200, NULL, json_object('at', at, 'answer', '500') || char(10)), iif(number % 200, at + confirmed_ms + 200, NULL)
  FROM drawn WHERE outcome <> 'delivered'`;
