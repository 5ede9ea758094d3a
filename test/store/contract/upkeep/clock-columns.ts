/** Every time that a store keeps is corrected after a clock was ahead, or stands here with the reason why not. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { GUESSES_MS, INVITATION_MS, ONE_TIME_MS } from '../../../../src/core/accounts/lasting.ts';
import { LONGEST_NOTICE_PAUSE_MS } from '../../../../src/core/alerts/pause.ts';
import { OVERLAP_MS } from '../../../../src/core/events/endpoint.ts';
import { LONGEST_RETRY_PAUSE_MS } from '../../../../src/core/events/schedule.ts';
import { query, type Records, type Value } from '../../../../src/core/sql/records.ts';
import { LONGEST_CODE_MS, LONGEST_ENDING_MS } from '../../../../src/core/verification/verification.ts';
import { DAY, LEASE, MINUTE, newVerification, type OpenStore, openFor, SECOND } from '../rig.ts';

const NOW = Math.floor(Date.now() / DAY) * DAY + 12 * 60 * MINUTE;
/** Longer than anything that may rightly lie ahead. */
const AHEAD = NOW + 40 * DAY;
const IS_TIME = /(^|_)(at|until|since|day|minute)$/;

/** Ends may lie so far ahead. */
const ENDS: Readonly<Record<string, number>> = {
  'alert_notice.due_at': LONGEST_NOTICE_PAUSE_MS,
  'budget_use.ends_at': 31 * DAY,
  'carrier_schedule.next_at': MINUTE,
  'code_by_number.expires_at': LONGEST_CODE_MS,
  'delivery.due_at': LEASE + 10 * SECOND,
  'delivery.expires_at': LONGEST_CODE_MS,
  'delivery.fallback_at': LONGEST_CODE_MS,
  'invitation.expires_at': INVITATION_MS,
  'one_time.expires_at': ONE_TIME_MS.reset,
  'reservation.expires_at': LONGEST_CODE_MS,
  'throttle.forget_at': GUESSES_MS,
  'throttle.next_at': GUESSES_MS,
  'used_ending.ends_at': LONGEST_ENDING_MS,
  'verification.expires_at': LONGEST_CODE_MS,
  'webhook.previous_until': OVERLAP_MS,
  'webhook_expiry.expires_at': 60 * MINUTE,
  'webhook_message.due_at': LONGEST_RETRY_PAUSE_MS,
};

const FIGURES = 'figures stay with the time by which they were counted';
const SHOWN = 'it is shown, and decides nothing';
const LEASED = 'a lease that ends impossibly late is free (events/leases.ts, alerts/leader-lease.ts)';
const CHOSEN = 'somebody chose it';

/** Columns, or whole tables, that stay as they are. */
const STAY: Readonly<Record<string, string>> = {
  'alert_turn.ends_at': LEASED,
  'api_key.expires_at': CHOSEN,
  'attempt.receipt_at': SHOWN,
  audit_entry: 'its hashes cover it',
  'blocked_number.created_at': SHOWN,
  'blocked_range.created_at': SHOWN,
  guard_day: FIGURES,
  'guard_evidence.closes_at': 'it is no time',
  'guard_evidence.next_probe_at': SHOWN,
  'guard_memory.written_at': 'whoever writes next writes over it (guard/live/kept-memory.ts)',
  'guard_news.at': 'it only tells the news of a node apart',
  'guard_rule.ends_at': CHOSEN,
  installation: 'only that it can be written counts',
  latency_tally: FIGURES,
  latency_tally_day: FIGURES,
  schema_migration: 'it is told to nobody',
  tally: FIGURES,
  tally_day: FIGURES,
  tally_event: FIGURES,
  tally_key_day: FIGURES,
  tally_keyless_day: FIGURES,
  tally_keyless_hour: FIGURES,
  'totp.confirmed_at': 'it tells one secret from the next',
  'webhook.leased_until': LEASED,
  'webhook_message.last_try_at': SHOWN,
  'webhook_message.sent_at': SHOWN,
};

/** What a row of a table must have beside times; all else is filled in by its type. */
const HAS: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  alert_notice: { channel: 'email' },
  attempt: { recipient_tag: 'tag' },
  budget_use: { per: 'month' },
  destination: { sends: `{${AHEAD}}` },
  guard_rule: { action: 'deny', subject: 'range' },
  inbox_message: { account_id: 'x' },
  one_time: { purpose: 'reset' },
  reservation: { charges: '[]', prices: '[]' },
};

/** Others refer to these. */
const FIRST = ['account', 'person', 'verification'];

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly mustBe: boolean;
}

export function describeClockColumns(open: OpenStore): void {
  suite('every time of a store', () => {
    test('is corrected when a clock that was ahead is, or there is a reason why not', async (t) => {
      const { store } = await openFor(t, open);
      const columns = await columnsOf(store, store.isShared);
      const times = columns.filter(({ name, table }) => IS_TIME.test(name) && STAY[table] === undefined);
      assert.ok(times.length > 70);
      const tables = new Set([...FIRST, ...times.map(({ table }) => table)]);
      for (const table of tables) await write(store, table, ofTable(columns, table));
      // The audit log leads to what an account said.
      const entry = { action: 'verification.judged', subject: ID };
      await write(store, 'audit_entry', ofTable(columns, 'audit_entry'), entry);
      await store.clampFutureTimes(NOW, LEASE);
      const wrong: string[] = [];
      for (const { table, name } of times) {
        const column = `${table}.${name}`;
        if (STAY[column] !== undefined) continue;
        const divisor = name === 'day' ? DAY : 1;
        const [row] = await query(store, `SELECT max(${name}) AS latest FROM ${table}`);
        const latest = Number(row?.latest ?? 0) * divisor;
        if (latest > NOW + (ENDS[column] ?? 0)) wrong.push(`${column}: ${(latest - NOW) / DAY} days ahead`);
      }
      assert.deepEqual(wrong, []);
    });

    test('is in no list that has outlived it', async (t) => {
      const { store } = await openFor(t, open);
      const columns = await columnsOf(store, store.isShared);
      const names = new Set(columns.map(({ table, name }) => `${table}.${name}`));
      const gone = [...Object.keys(STAY), ...Object.keys(ENDS)].filter((each) => {
        const [table = '', column] = each.split('.');
        // Each store has tables that the other has not.
        return column !== undefined && ofTable(columns, table).length > 0 && !names.has(each);
      });
      assert.deepEqual(gone, []);
    });
  });
}

const ofTable = (columns: readonly Column[], table: string) => columns.filter((each) => each.table === table);

const ID = newVerification({ createdAt: NOW }).id;

async function columnsOf(store: Records, isShared: boolean): Promise<readonly Column[]> {
  const sql = isShared
    ? `SELECT table_name AS "table", column_name AS name, data_type AS type,
         CASE WHEN is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' THEN 1 ELSE 0 END AS must
       FROM information_schema.columns JOIN pg_class ON relname = table_name AND relnamespace = table_schema::regnamespace
       WHERE table_schema = current_schema() AND relkind IN ('r', 'p') AND NOT relispartition
       ORDER BY table_name, ordinal_position`
    : `SELECT owner.name AS "table", col.name AS name, lower(col.type) AS type,
         col."notnull" AND col.dflt_value IS NULL AS must
       FROM sqlite_schema AS owner JOIN pragma_table_info(owner.name) AS col WHERE owner.type = 'table'`;
  const rows = await query(store, sql);
  return rows.map(({ table, name, type, must }) => ({
    ...{ table: String(table), name: String(name), type: String(type), mustBe: Number(must) === 1 },
  }));
}

async function write(
  store: Records,
  table: string,
  columns: readonly Column[],
  more: Readonly<Record<string, Value>> = {},
): Promise<void> {
  const given = { ...HAS[table], ...more };
  const row = columns.flatMap((column): [string, Value][] => {
    const { name } = column;
    if (given[name] !== undefined) return [[name, given[name]]];
    if (IS_TIME.test(name)) return [[name, name === 'day' ? Math.floor(AHEAD / DAY) : AHEAD]];
    return column.mustBe ? [[name, plainValue(column)]] : [];
  });
  const places = row.map((_, index) => `$${index + 1}`);
  const sql = `INSERT INTO ${table} (${row.map(([name]) => name).join()}) VALUES (${places.join()})`;
  await store.transact([{ sql, args: row.map(([, value]) => value) }]);
}

function plainValue({ table, name, type }: Column): Value {
  if (type === 'uuid') return ID.slice('ver_'.length);
  if (name === 'verification_id' || (table === 'verification' && name === 'id')) return ID;
  if (type.startsWith('json')) return '[]';
  if (type === 'ARRAY') return '{}';
  if (type === 'boolean') return 'false';
  return type === 'text' ? 'x' : 0;
}
