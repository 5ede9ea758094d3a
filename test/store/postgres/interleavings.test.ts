/**
 * Two nodes in the tightest races. A third party holds the lock that both need until both wait for it: a node that read
 * before it locked would now act on outdated values.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { periodOf, type Reservation } from '../../../src/core/budgets/budget.ts';
import { StoreUnavailable } from '../../../src/core/errors.ts';
import type { NewVerification } from '../../../src/core/verification/verification.ts';
import type { Store } from '../../../src/store/port.ts';
import { SCHEMA_LOCK } from '../../../src/store/postgres/schema/migrate.ts';
import { type Postgres, startPostgres } from '../../postgres.ts';
import {
  DAY,
  FAILOVER,
  guessAt,
  issueOne,
  mismatch,
  newVerification,
  receipt,
  SECOND,
  SUBMITTED,
  settlement,
  tally,
  unique,
  withLimits,
} from '../contract/rig.ts';
import { lookAt, openNode, openNodes } from './rig.ts';

/** Two carriers that charge 1 each, and a budget for that many messages. */
function budgetOf(messages: number): Reservation {
  const per = 'month';
  const charge = { kind: 'test', subject: unique('budget'), per, money: null, messages } as const;
  return { charges: [{ ...charge, ...periodOf(per, Date.now()) }], prices: { one: 1, other: 1 } };
}

const IS_CHARGE = ({ charges: [charge] }: Reservation) => `subject = '${charge?.subject}'`;

const INBOX = { kind: 'delivered', inbox: true } as const;

suite('interleavings of nodes', () => {
  let postgres: Postgres;
  let url: string;
  before(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
  });
  after(() => postgres.dispose());

  /** Begins `calls` while a transaction holds what `statement` locks, and lets go when all of them wait. */
  async function heldUp<T>(
    statement: string,
    calls: () => readonly Promise<T>[],
    database = url,
  ): Promise<T[]> {
    const holder = new pg.Client({ connectionString: database });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(statement);
      const begun = calls();
      await waiting(begun.length, database);
      await holder.query('COMMIT');
      return await Promise.all(begun);
    } finally {
      await holder.end();
    }
  }

  async function waiting(count: number, database = url): Promise<void> {
    for (;;) {
      const [row] = await lookAt<{ count: string }>(
        database,
        `SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'countersign' AND wait_event_type = 'Lock'`,
      );
      if (Number(row?.count) >= count) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  const twoNodes = async (t: Parameters<typeof openNodes>[0], limits: Parameters<typeof withLimits>[0]) => {
    const [a, b] = await openNodes(t, url, 2, withLimits(limits));
    assert.ok(a && b);
    return [a, b] as const;
  };

  test('the last send of a destination is given once', async (t) => {
    const [a, b] = await twoNodes(t, { sendsPerDestination: [{ max: 2, windowMs: DAY }] });
    const { destinationHash } = await issueOne(a);
    const outcomes = await heldUp(
      `SELECT FROM destination WHERE hash = '${destinationHash}' FOR UPDATE`,
      () => [a, b].map((node) => node.issue(newVerification({ destinationHash }))),
    );
    assert.deepEqual(tally(outcomes), { issued: 1, limited: 1 });
  });

  test('the last room in a budget is given once', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const reservation = budgetOf(2);
    await issueOne(a, { reservation });
    const outcomes = await heldUp(`SELECT FROM budget_use WHERE ${IS_CHARGE(reservation)} FOR UPDATE`, () =>
      [a, b].map((node) => node.issue(newVerification({ reservation }))),
    );
    assert.deepEqual(tally(outcomes), { issued: 1, exhausted: 1 });
  });

  test('two settlements give back to a budget once', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const reservation = budgetOf(2);
    const v = await issueOne(a, { reservation });
    // The budget is locked last: one waits for it, the other for what that one has locked before.
    await heldUp(`SELECT FROM budget_use WHERE ${IS_CHARGE(reservation)} FOR UPDATE`, () =>
      [a, b].map((node) => node.settle({ ...settlement(v, SUBMITTED), charged: ['one'] })),
    );
    const rows = await lookAt(url, `SELECT money::int FROM budget_use WHERE ${IS_CHARGE(reservation)}`);
    assert.deepEqual(rows, [{ money: 1 }]);
  });

  test('a claim passes by what another node is just settling', async (t) => {
    const [node] = await twoNodes(t, {});
    const now = Date.now();
    const issue = (minutes: number) => issueOne(node, { createdAt: now - minutes * 60 * SECOND });
    const [expired, settling, free] = [await issue(11), await issue(1), await issue(1)];
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      const held = [expired, settling].map(({ id }) => id.slice('ver_'.length));
      await holder.query('SELECT FROM delivery WHERE verification_id = ANY ($1) FOR UPDATE', [held]);
      const claimed = await node.claim(now, now + SECOND, 100);
      assert.deepEqual(
        claimed.map(({ id }) => id),
        [free.id],
      );
    } finally {
      await holder.end();
    }
  });

  test('the last place of a key is given once', async (t) => {
    const [a, b] = await twoNodes(t, { requestsPerKey: [{ max: 2, windowMs: DAY }] });
    const { keyId } = await issueOne(a);
    const outcomes = await heldUp(`SELECT FROM key_usage WHERE key_id = '${keyId}' FOR UPDATE`, () =>
      [a, b].map((node) => node.issue(newVerification({ keyId }))),
    );
    assert.deepEqual(tally(outcomes), { issued: 1, limited: 1 });
  });

  for (const code of ['wrong', 'right'] as const) {
    test(`the last guess of a destination is judged once (the other code is ${code})`, async (t) => {
      const [a, b] = await twoNodes(t, { failedGuessesPerDestination: [{ max: 2, windowMs: DAY }] });
      const destinationHash = unique('hash');
      const [first, second] = [
        await issueOne(a, { destinationHash }),
        await issueOne(a, { destinationHash }),
      ];
      await a.confirm(guessAt(first, 'wrong'));
      const outcomes = await heldUp(
        `SELECT FROM destination WHERE hash = '${destinationHash}' FOR UPDATE`,
        () => [a.confirm(guessAt(first, 'wrong')), b.confirm(guessAt(second, code))],
      );
      const [wrong, other] = outcomes.map(({ kind }) => kind);
      // The right one may come first; then it clears the count, and the wrong one is judged against that.
      if (other === 'confirmed') assert.deepEqual(outcomes[0], mismatch(1));
      else assert.deepEqual([wrong, other].sort(), ['attempts-exhausted', 'mismatch']);
    });
  }

  test('nodes that all found an empty database make it once', async (t) => {
    const empty = await postgres.createDatabase();
    const nodes = await heldUp(
      `SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`,
      () => [1, 2, 3].map(() => openNode(empty)),
      empty,
    );
    t.after(() => Promise.all(nodes.map((node) => node.close())));
    const outcomes = await Promise.all(nodes.map((node) => node.issue(newVerification())));
    assert.deepEqual(tally(outcomes), { issued: 3 });
  });

  test('a day without partitions gets them once', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const createdAt = Date.now() + 60 * DAY;
    const outcomes = await heldUp(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`, () =>
      [a, b].map((node) => node.issue(newVerification({ createdAt }))),
    );
    assert.deepEqual(tally(outcomes), { issued: 2 });
  });

  test('a receipt that found no attempt is seen by a settlement that begins before it is kept', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const v = await issueOne(a);
    const [settled, received] = await heldUp('LOCK TABLE early_receipt IN SHARE MODE', () => {
      const received = b.receive(receipt(v.createdAt + 2 * SECOND, { references: [v.id] }));
      const settled = waiting(1).then(() => a.settle(settlement(v, FAILOVER, [{ reference: v.id }])));
      return [settled, received.then((outcome) => [outcome])];
    });
    assert.deepEqual(received, [{ kind: 'early' }]);
    assert.deepEqual(
      settled?.map(({ kind }) => kind),
      ['applied'],
    );
  });

  test('a receipt that comes while its settlement is under way waits for it', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const v = await issueOne(a);
    const [early, received] = await heldUp(
      `SELECT FROM delivery WHERE verification_id = '${v.id.slice(4)}' FOR UPDATE`,
      () => {
        const settled = a.settle(settlement(v, FAILOVER, [{ reference: v.id }]));
        const received = waiting(1).then(() =>
          b.receive(receipt(v.createdAt + 2 * SECOND, { references: [v.id] })),
        );
        return [settled, received.then((outcome) => [outcome])];
      },
    );
    assert.deepEqual(early, []);
    assert.deepEqual(
      received?.map(({ kind }) => kind),
      ['applied'],
    );
  });

  test('while a secret is rotated, who waits for one hash of a destination holds no other', async (t) => {
    // In the order of the keys the new hash comes first, and the old one is written first.
    const [current, previous] = [`a ${unique('hash')}`, `b ${unique('hash')}`];
    const hashes = { destinationHash: current, earlierDestinationHashes: [previous] };
    const [a, b] = await twoNodes(t, { sendsPerDestination: [{ max: 9, windowMs: DAY }] });
    await issueOne(a, hashes);
    const free: number[] = [];
    const outcomes = await heldUp(`SELECT FROM destination WHERE hash = '${current}' FOR UPDATE`, () => [
      a.issue(newVerification(hashes)),
      waiting(1).then(async () => {
        const rows = await lookAt(
          url,
          `SELECT FROM destination WHERE hash = '${previous}' FOR UPDATE SKIP LOCKED`,
        );
        free.push(rows.length);
        // A node that has swapped its secrets already, and so the roles of the two.
        return b.issue(newVerification({ destinationHash: previous, earlierDestinationHashes: [current] }));
      }),
    ]);
    assert.deepEqual(free, [1]);
    assert.deepEqual(tally(outcomes), { issued: 2 });
  });

  test('a confirmation that comes while its message is settled belongs to the carrier that took it', async (t) => {
    const [a, b] = await twoNodes(t, {});
    const v = await issueOne(a, { test: true });
    const carriers: (string | null)[] = [];
    // The settlement has written its attempt, and waits to count it.
    await heldUp<unknown>('LOCK TABLE tally_event IN SHARE MODE', () => {
      const settled = a.settle(settlement(v, FAILOVER, [{ reference: v.id }]));
      const confirmed = waiting(1).then(() => b.confirm(guessAt(v, 'right')));
      return [
        settled,
        confirmed.then((outcome) => carriers.push(outcome.kind === 'confirmed' ? outcome.carrier : null)),
      ];
    });
    assert.deepEqual(carriers, ['smsc']);
  });

  const erase = (node: Store, { id, destinationHash }: NewVerification) =>
    node.transact([
      { erase: { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now: Date.now() } },
    ]);

  /** The tables that still name a verification. */
  async function traces({ id, destinationSealed, codeSealed }: NewVerification): Promise<string[]> {
    const tables = await lookAt<{ name: string }>(
      url,
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`,
    );
    const uuid = id.replace(/^ver_(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const texts = [uuid, id, destinationSealed, codeSealed].map(
      (text) => `strpos(whole::text, '${text}') > 0`,
    );
    const found = await Promise.all(
      tables.map(({ name }) =>
        lookAt(url, `SELECT FROM ${name} AS whole WHERE ${texts.join(' OR ')} LIMIT 1`),
      ),
    );
    return tables.filter((_, i) => found[i]?.length === 1).map(({ name }) => name.replace(/_\d+$/, ''));
  }

  const keyed = (v: NewVerification) => ({
    ...guessAt(v, 'wrong'),
    idempotency: { keyHash: unique('idem'), bodyHash: 'guess' },
  });

  // Each waits, with all its locks, for what another party holds; the erasure comes after it, or before it.
  const acts: readonly (readonly [string, (node: Store, v: NewVerification) => Promise<unknown>, unknown])[] =
    [
      ['a settlement', (node, v) => node.settle(settlement(v, INBOX, [{ reference: v.id }])), []],
      ['a guess under an Idempotency-Key', (node, v) => node.confirm(keyed(v)), { kind: 'unknown' }],
    ];
  for (const [what, act, answer] of acts) {
    test(`${what} under way is waited for, and erased with the rest`, async (t) => {
      const [a, b] = await twoNodes(t, {});
      const v = await issueOne(a, { idempotency: { keyHash: unique('idem'), bodyHash: 'sms x' } });
      assert.deepEqual(await traces(v), ['delivery', 'idempotency', 'verification']);
      const [, erased] = await heldUp<unknown>('LOCK TABLE tally_event IN SHARE MODE', () => [
        act(a, v),
        waiting(1).then(() => erase(b, v)),
      ]);
      assert.deepEqual(erased, { done: true, rows: [[{ erased: 1 }]] });
      assert.deepEqual(await traces(v), []);
    });

    test(`${what} that comes during an erasure finds nothing, and leaves nothing`, async (t) => {
      const [a, b] = await twoNodes(t, {});
      const v = await issueOne(a);
      const [, acted] = await heldUp<unknown>('LOCK TABLE early_receipt IN SHARE MODE', () => [
        erase(b, v),
        waiting(1).then(() => act(a, v)),
      ]);
      assert.deepEqual(acted, answer);
      assert.deepEqual(await traces(v), []);
    });
  }

  test('what a conflict between nodes has undone is done again, and not without end', async (t) => {
    const own = await postgres.createDatabase();
    const [node] = await openNodes(t, own, 1);
    assert.ok(node);
    // A sequence does not go back with the transaction that has asked it.
    await lookAt(
      own,
      `CREATE SEQUENCE conflicts;
       CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF nextval('conflicts') <= new.created_at THEN
           RAISE EXCEPTION 'conflict' USING ERRCODE = CASE new.name WHEN 'lock' THEN '40P01' ELSE '40001' END;
         END IF;
         RETURN new;
       END $$;
       CREATE TRIGGER conflict BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION conflict()`,
    );
    const add = (name: string, conflicts: number) => ({
      sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3)',
      args: [unique('acc'), name, conflicts],
    });
    assert.equal((await node.transact([add('lock', 3)])).done, true);
    assert.equal((await node.transact([add('row', 7)])).done, true);
    await assert.rejects(node.transact([add('row', 1_000)]), StoreUnavailable);
    assert.deepEqual(
      await lookAt(own, `SELECT name FROM account WHERE name IN ('lock', 'row') ORDER BY name`),
      [{ name: 'lock' }, { name: 'row' }],
    );
  });

  test('one Idempotency-Key: the second waits for what becomes of the first', async (t) => {
    const [a, b] = await twoNodes(t, { sendsPerDestination: [{ max: 1, windowMs: DAY }] });
    const { destinationHash } = await issueOne(a);
    const accountId = unique('acc');
    const idempotency = { keyHash: unique('idem'), bodyHash: 'sms x' };
    // The first will be refused by its destination's limit; the second must not be answered with its verification.
    const outcomes = await heldUp(
      `SELECT FROM destination WHERE hash = '${destinationHash}' FOR UPDATE`,
      () => {
        const first = a.issue(newVerification({ accountId, idempotency, destinationHash }));
        return [first, waiting(1).then(() => b.issue(newVerification({ accountId, idempotency })))];
      },
    );
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['limited', 'issued'],
    );
  });
});
