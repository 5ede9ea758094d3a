/** What is kept, and what must hold of it: read from the database itself, past the service. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { verifyAuditLog } from '../../src/accounts/audit-log/verify.ts';
import type { Records } from '../../src/core/sql/records.ts';
import { createRecords } from '../../src/store/sqlite/records.ts';
import type { FixedOptions } from './options.ts';

const [HOUR, DAY] = [3_600_000, 86_400_000];
/** What looks at what is over does so at least this often while nothing happens. */
const PURGED_WITHIN = 12 * HOUR;

export class Rows {
  readonly #db: DatabaseSync;
  readonly #fixed: FixedOptions;
  readonly #records: Records;
  readonly #texts: StatementSync;
  readonly #counted: StatementSync;
  readonly #books: StatementSync;
  readonly #old: StatementSync;
  readonly #questions: StatementSync;
  readonly #said: StatementSync;
  readonly #strange: StatementSync;
  readonly #began: number;
  readonly #entries: StatementSync;
  readonly #changes: StatementSync;
  #seen = -1;
  #fullAt = Number.NEGATIVE_INFINITY;
  #chained = -1;

  constructor(db: DatabaseSync, fixed: FixedOptions, began: number) {
    this.#db = db;
    this.#fixed = fixed;
    this.#began = began;
    const { transact } = createRecords(db, () => 0, { forget: () => {} });
    this.#records = {
      random: NO_RANDOM,
      transact: async (steps) => transact(steps, false),
      keysRevision: async () => 0,
    };
    this.#texts = db.prepare(textsOf(db));
    this.#counted = db.prepare(COUNTED);
    this.#books = db.prepare(BOOKS);
    this.#old = db.prepare(OLD);
    this.#questions = db.prepare(QUESTIONS);
    this.#said = db.prepare(SAID);
    this.#strange = db.prepare(STRANGE);
    this.#entries = db.prepare('SELECT count(*) AS entries FROM audit_entry');
    this.#changes = db.prepare('SELECT total_changes() AS changes');
  }

  /** Whether it is as it was when this was last asked. */
  isUnchanged(): boolean {
    const changes = Number(this.#changes.get()?.changes);
    const before = this.#seen;
    this.#seen = changes;
    return changes === before;
  }

  /** All text, table by table. */
  *texts(): Iterable<readonly [table: string, text: string]> {
    for (const row of this.#texts.iterate()) yield [`the table ${row.name}`, String(row.text)];
  }

  /** The first figure that is not that of the rows it counts. What was erased or is past its retention is still counted. */
  miscounted(now: number, isErased: boolean, paid = 0, isOpen = false): string | undefined {
    const isWhole = !isErased && now - this.#began < this.#fixed.retention.verifications;
    for (const { what, counted, kept } of this.#counted.all()) {
      // past its retention a test of a carrier may be gone before its attempts
      if (!isWhole && what === 'failed attempts') continue;
      const holds = isWhole ? counted === kept : Number(counted) >= Number(kept);
      if (!holds)
        return `${counted} ${what} are counted, and ${kept} are kept (portal.md, What the overview counts)`;
    }
    // what was reserved for a question that nobody asked then, because a commit went unheard, is counted as well
    const questions = Number(this.#questions.get()?.cost);
    if (isOpen ? questions < paid : questions !== paid)
      return `${questions} is counted for questions, and ${paid} was paid (lookups.md, What it costs)`;
    for (const { kind, per, money, messages, held, open } of this.#books.all()) {
      const holds = Number(money) >= Number(held) && Number(messages) >= Number(open);
      if (!holds)
        return `${money} and ${messages} messages are used of ${kind} per ${per}, and ${held} and ${open} held (budgets.md)`;
    }
    return this.#misjudged(now);
  }

  /** Each change of a verdict is in the audit log, and counts for its day; no verdict outlives its verification, or counts where none may. */
  #misjudged(now: number): string | undefined {
    for (const { account, said, counted } of this.#said.all({ day: Math.floor(now / DAY) })) {
      if (said !== counted)
        return `${account} changed ${said} verdicts today, and ${counted} are counted (api.md, feedback)`;
    }
    const isOff = this.#fixed.guard === 'off' ? 1 : 0;
    const { stripped, weighed } = this.#strange.get({ off: isOff }) ?? {};
    if (stripped !== 0) return 'a verdict is kept of what was erased (personal-data.md)';
    return weighed === 0 ? undefined : 'a verdict counts that may not (guard.md, What you say of a code)';
  }

  /** What is kept longer than the documents say (personal-data.md, People who get codes). */
  stale(now: number, isFull: boolean, isCrowded = false): string | undefined {
    if (isFull) this.#fullAt = now;
    if (now - this.#fullAt < PURGED_WITHIN) return undefined;
    const { verifications, events } = this.#fixed.retention;
    const before = now - PURGED_WITHIN;
    const row = this.#old.get({
      verifications: before - verifications,
      events: before - events,
      day: before - DAY,
      codes: before,
      crowded: Number(isCrowded),
    });
    return row && `${row.what} is kept since ${new Date(Number(row.at)).toISOString()} (personal-data.md)`;
  }

  /** The first account whose audit log is not as it was written (audit-log.md); looked at when there is another entry. */
  async tampered(now: number): Promise<string | undefined> {
    const entries = Number(this.#entries.get()?.entries);
    if (entries === this.#chained) return undefined;
    this.#chained = entries;
    for (const { id, name } of this.#db.prepare('SELECT id, name FROM account').all()) {
      const verdict = await verifyAuditLog(this.#records, String(id), now);
      if (!verdict.ok) return `the audit log of ${name}: ${verdict.fault.detail} (audit-log.md)`;
    }
    return undefined;
  }
}

/** Of each table one row, with all its cells that hold text. */
function textsOf(db: DatabaseSync): string {
  const tables = db.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const columns = db.prepare("SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'");
  const selects = tables.all().flatMap(({ name = null }) => {
    const cells = columns.all(name).map((column) => column.name);
    const one = `SELECT '${name}' AS name, group_concat(concat_ws(char(10), ${cells.join(', ')}), char(10)) AS text`;
    return cells.length === 0 ? [] : `${one} FROM ${name}`;
  });
  return `SELECT name, text FROM (${selects.join(' UNION ALL ')}) WHERE text IS NOT NULL`;
}

/** Codes that somebody else judges count only once somebody confirms them here (api.md), tests of carriers only by their costs (portal.md). */
const COUNTED = `
  WITH request AS (SELECT
      count(*) FILTER (WHERE NOT brought OR confirmed_at IS NOT NULL) AS requested, count(confirmed_at) AS confirmed
    FROM verification WHERE account_id <> ''),
  message AS (SELECT DISTINCT verification_id, attempt.carrier, attempt.channel,
      max(outcome = 'delivered' OR receipt IS 'delivered') OVER one AS delivered, max(receipt IS 'undelivered') OVER one AS undelivered
    FROM attempt JOIN verification ON id = verification_id WHERE outcome IN ('accepted', 'delivered') AND NOT brought
    WINDOW one AS (PARTITION BY verification_id, attempt.carrier, attempt.channel)),
  total AS (SELECT sum(requested) AS requested, sum(confirmed) AS confirmed, sum(delivered) AS delivered,
    sum(cost) FILTER (WHERE carrier <> '') AS cost, sum(failed_attempts) AS failed FROM tally)
  SELECT 'requests' AS what, coalesce(total.requested, 0) AS counted, request.requested AS kept FROM request, total
  UNION ALL SELECT 'confirmations', coalesce(total.confirmed, 0), request.confirmed FROM request, total
  UNION ALL SELECT 'deliveries', coalesce(total.delivered, 0), (SELECT count(*) FROM message WHERE delivered) FROM total
  UNION ALL SELECT 'failed attempts', coalesce(total.failed, 0), (
    SELECT count(*) FROM attempt WHERE outcome NOT IN ('accepted', 'delivered')
      AND verification_id NOT IN (SELECT id FROM carrier_test)) FROM total
  UNION ALL SELECT 'costs', coalesce(cost, 0), coalesce((SELECT sum(cost) FROM attempt), 0) FROM total`;

/** What belongs to no carrier. */
const QUESTIONS = "SELECT coalesce(sum(cost), 0) AS cost FROM tally WHERE carrier = ''";

/** Of each period of a budget what is used, and what messages hold of it that are still to be sent. */
const BOOKS = `
  SELECT budget_use.kind, budget_use.per, money, messages, coalesce(sum(held), 0) AS held, count(verification_id) AS open
  FROM budget_use LEFT JOIN (
    SELECT verification_id, held, charge.value AS charge FROM reservation, json_each(charges) AS charge) AS part
    ON charge ->> 'kind' = kind AND charge ->> 'subject' = subject AND charge ->> 'per' = per AND charge ->> 'startsAt' = starts_at
  GROUP BY kind, subject, per, starts_at`;

/** Of each account on a day. */
const SAID = `
  SELECT account_id AS account, count(*) AS said, coalesce((SELECT sum(counted) FROM verdict_count
    WHERE subject IN ('account ' || account_id, 'tests ' || account_id) AND verdict = 'change' AND day = :day), 0) AS counted
  FROM audit_entry WHERE action = 'verification.judged' AND at / 86400000 = :day GROUP BY account_id`;
const STRANGE = `
  SELECT count(*) FILTER (WHERE account_id = '') AS stripped,
    count(*) FILTER (WHERE verdict_weight <> 0 AND (test OR brought OR :off)) AS weighed
  FROM verification WHERE verdict IS NOT NULL`;

const OLD = `SELECT * FROM (
  SELECT 'a verification' AS what, min(created_at) AS at FROM verification WHERE created_at < :verifications AND account_id <> ''
  UNION ALL SELECT 'an attempt', min(ended_at) FROM attempt WHERE ended_at < :verifications
  UNION ALL SELECT 'an Idempotency-Key', min(created_at) FROM idempotency WHERE created_at < :day
  UNION ALL SELECT 'an early receipt', min(received_at) FROM early_receipt WHERE received_at < :day
  UNION ALL SELECT 'a message of a webhook', min(at) FROM webhook_message WHERE at < :events
  UNION ALL SELECT 'the end of a number', min(ends_at) FROM used_ending WHERE ends_at < :day AND :crowded = 0
  UNION ALL SELECT 'a test of a carrier', min(asked_at) FROM carrier_test WHERE asked_at < :verifications
  UNION ALL SELECT 'the code of a test', min(received_at) FROM inbox_message WHERE received_at < :day
  UNION ALL SELECT 'a code', min(expires_at) FROM delivery WHERE expires_at < :codes
) WHERE at IS NOT NULL`;

const none = (): never => {
  throw new Error('only reading');
};
const NO_RANDOM = { bytes: none, below: none, fraction: none, uuid: none, orderedUuid: none };
