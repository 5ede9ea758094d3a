/** The keys of the installation, its people, and what they did in a year. */
import type { DatabaseSync } from 'node:sqlite';
import { auditStep } from '../../src/accounts/audit.ts';
import { addNumber } from '../../src/accounts/blocking/blocked-numbers.ts';
import { mintKey } from '../../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import type { Step } from '../../src/core/sql/records.ts';
import { createRecords } from '../../src/store/sqlite/records.ts';
import { DAY_MS, type Extent, KEYS, keyId, MEMBERS, REVOKED_KEYS, YEAR_MS } from './extent.ts';

const AUDIT_ENTRIES = 40_000;
const BLOCKED_NUMBERS = 5_000;
const HELD_ALERTS = 180;
/** What people do every day. Nothing that an alert is about, such as a new owner. */
const ACTIONS = [
  'session.began',
  'key.changed',
  'verification.revealed',
  'number.exported',
  'range.blocked',
] as const;

type Run = (step: Step) => void;

export function writeTeam(db: DatabaseSync, extent: Extent, secret: string): void {
  db.exec('BEGIN');
  const records = createRecords(db, () => 0, { forget() {} });
  const run = (step: Step) => void records.transact([step], false);
  writeKeys(db, extent);
  writeMembers(db, extent);
  writeAuditLog(run, extent);
  writeBlockedNumbers(run, extent, secret);
  writeAlerts(db, extent);
  db.exec('COMMIT');
}

function writeKeys(db: DatabaseSync, { accountId, now }: Extent): void {
  // The benchmark's own key is one of them.
  const insert = db.prepare(`
    INSERT INTO api_key (id, account_id, name, test, prefix, hash, created_at, created_by, last_used_at, revoked_at)
    VALUES (?, ?, ?, 0, ?, ?, ?, 'Person 003', ?, ?)`);
  for (let n = 0; n < KEYS + REVOKED_KEYS - 1; n++) {
    const { prefix, hash } = mintKey(SYSTEM_RANDOM, false);
    const revokedAt = n < KEYS - 1 ? null : now - n * 3_600_000;
    insert.run(
      keyId(n),
      accountId,
      `Shop ${n}, till ${n % 7}`,
      prefix,
      hash,
      now - YEAR_MS + n,
      now,
      revokedAt,
    );
  }
}

function writeMembers(db: DatabaseSync, { accountId, now }: Extent): void {
  const person = db.prepare('INSERT INTO person (id, email, name, created_at) VALUES (?, ?, ?, ?)');
  const member = db.prepare('INSERT INTO member (account_id, person_id, role, since) VALUES (?, ?, ?, ?)');
  // The benchmark's own owner is one of them.
  for (let n = 1; n < MEMBERS; n++) {
    const id = `per_company${String(n).padStart(3, '0')}`;
    const role = n % 20 === 0 ? 'owner' : n % 5 === 0 ? 'developer' : 'viewer';
    person.run(id, `person${n}@example.com`, `Person ${String(n).padStart(3, '0')}`, now - YEAR_MS);
    member.run(accountId, id, role, now - YEAR_MS);
  }
}

/** Through the statement of the service: the trigger chains each entry. */
function writeAuditLog(run: Run, { accountId, now }: Extent): void {
  for (let n = 0; n < AUDIT_ENTRIES; n++) {
    const by = { name: `Person ${String(1 + (n % 200)).padStart(3, '0')}`, address: `192.0.2.${n % 250}` };
    const at = Math.round(now - YEAR_MS + ((n + 1) * (YEAR_MS - 2 * DAY_MS)) / AUDIT_ENTRIES);
    const action = ACTIONS[n % ACTIONS.length] ?? ACTIONS[0];
    run(
      auditStep(
        { random: SYSTEM_RANDOM },
        { accountId, by, action, subject: `Shop ${n % KEYS}`, detail: '', at },
      ),
    );
  }
}

function writeBlockedNumbers(run: Run, { accountId, now }: Extent, secret: string): void {
  const keyring = new Keyring(secret);
  for (let n = 0; n < BLOCKED_NUMBERS; n++) {
    const address = `+4915199${String(n).padStart(6, '0')}`;
    const at = Math.round(now - YEAR_MS + (n * YEAR_MS) / BLOCKED_NUMBERS);
    const source = n % 3 === 0 ? 'person' : 'recipient';
    run(
      addNumber({ records: { random: SYSTEM_RANDOM }, keyring }, { accountId, address, source, now: at })
        .step,
    );
  }
}

/** Two a day over the time for which alerts are kept, each told to a person and to the webhook. */
function writeAlerts(db: DatabaseSync, { accountId, now }: Extent): void {
  const alert = db.prepare(`
    INSERT INTO alert (id, account_id, rule, subject, detail, place, bad_since, firing_since, told_at, over_at)
    VALUES (?, ?, 'conversion-fell', ?, 'Of the codes to DE, 40 % fewer were confirmed.', 'overview', ?, ?, ?, ?)`);
  const notice = db.prepare(`
    INSERT INTO alert_notice (id, alert_id, account_id, channel, target, kind, at, facts, tries, last_try_at, sent_at)
    VALUES (?, ?, ?, ?, ?, 'firing', ?, '{}', 1, ?, ?)`);
  for (let n = 0; n < HELD_ALERTS; n++) {
    const at = now - DAY_MS - n * (DAY_MS / 2 - 60_000);
    const id = `alr_company${String(n).padStart(6, '0')}`;
    alert.run(id, accountId, `DE ${n}`, at, at, at, at + 3_600_000);
    for (const [channel = '', target = ''] of [['email', 'per_company020'], ['webhook']]) {
      notice.run(`ntc_${channel}${n}`, id, accountId, channel, target, at, at, at);
    }
  }
}
