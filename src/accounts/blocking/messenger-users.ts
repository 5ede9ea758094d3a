/**
 * Whom messengers call by a name of their own: WhatsApp hides the numbers of people with a username, and STOP must find the number
 * that codes go to. What a receipt calls its recipient leads to the message, and so to its destination, as long as that is kept.
 */
import { DAY_MS } from '../../core/seams/spans.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { ifIntact, openField } from '../../core/secrets/sealed-field.ts';
import type { Receipt } from '../../core/sending/carrier.ts';
import { query, type Records } from '../../core/sql/records.ts';

interface Deps {
  readonly records: Records;
  readonly keyring: Keyring;
}

/** As long as receipts find their messages. */
const DAYS = 3;

/**
 * Resolves when it is durable. A receipt that overtook its message is not noted: the next one of the same person is.
 *
 * @param now Unix ms
 */
export async function noteMessengerUser(
  { records, keyring }: Deps,
  { carrier, references, user }: Receipt,
  now: number,
): Promise<void> {
  if (user === undefined) return;
  const [tag] = keyring.recipientTags(user);
  const today = Math.floor(now / DAY_MS);
  const days = Array.from({ length: DAYS + 1 }, (_, back) => today - back);
  const places = days.map((_, back) => `$${4 + back}`).join(', ');
  await query(
    records,
    // Days lead the embedded store's index of references, which leaves out messages without a tag. PostgreSQL does not conclude that from
    // IS TRUE: in an empty partition its index of tags would look as good as that of references, and the plan is kept.
    `INSERT INTO messenger_user (user_tag, verification_id, created_at)
      SELECT CAST($1 AS TEXT), verification.id, verification.created_at
      FROM attempt JOIN verification ON verification.id = attempt.verification_id
      WHERE attempt.ended_at / ${DAY_MS} IN (${places}) AND carrier = $2 AND reference = $3
        AND (recipient_tag <> '') IS TRUE
      ORDER BY attempt.ended_at DESC LIMIT 1
      ON CONFLICT (user_tag) DO UPDATE
      SET verification_id = excluded.verification_id, created_at = excluded.created_at
      WHERE messenger_user.created_at < excluded.created_at RETURNING 1 AS noted`,
    ...[tag, carrier, references[0], ...days],
  );
}

/** The canonical address that the last noted code of a messenger's user went to; undefined if none is known any more. */
export async function findMessengerUser(
  { records, keyring }: Deps,
  user: string,
): Promise<string | undefined> {
  const [current, earlier = null] = keyring.recipientTags(user);
  // PostgreSQL has the id as a UUID, and destinations are sealed under the one that clients see.
  const [row] = await query(
    records,
    `SELECT 'ver_' || replace(replace(CAST(verification.id AS TEXT), 'ver_', ''), '-', '') AS id, destination_sealed
      FROM messenger_user JOIN verification ON verification.id = messenger_user.verification_id
      WHERE user_tag IN ($1, $2) ORDER BY messenger_user.created_at DESC`,
    ...[current, earlier],
  );
  if (row === undefined) return undefined;
  return ifIntact(() => openField(keyring, String(row.destination_sealed), String(row.id), 'destination'));
}
