/** Several nodes on one database: what must be exact over all of them together. */
import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import pg from 'pg';
import { createKeys } from '../../../src/accounts/keys.ts';
import { COMMAND_LINE } from '../../../src/core/accounts/actor.ts';
import { periodOf } from '../../../src/core/budgets/budget.ts';
import type { NewVerification } from '../../../src/core/verification/verification.ts';
import type { Store } from '../../../src/store/port.ts';
import { PURGE_LOCK } from '../../../src/store/postgres/upkeep/purge.ts';
import { type Postgres, startPostgres } from '../../postgres.ts';
import {
  DAY,
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  LEASE,
  MINUTE,
  newVerification,
  type Rules,
  receipt,
  SECOND,
  settlement,
  someAtATime,
  tally,
  unique,
  untilServed,
  withLimits,
} from '../contract/rig.ts';
import { lookAt, openNodes } from './rig.ts';

const CALLS = 600;

suite('nodes on one PostgreSQL', () => {
  let postgres: Postgres;
  let url: string;
  before(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase(postgres.schema);
  });
  after(() => postgres.dispose());

  const nodesOf = (t: TestContext, count: number, rules?: Rules) => openNodes(t, url, count, rules);

  /** Calls spread over all nodes at once. Each makes what it needs itself, so that it can be made again. */
  const race = <T>(nodes: readonly Store[], call: (node: Store, i: number) => Promise<T>) =>
    someAtATime([...Array(CALLS).keys()], (i) => {
      const node = nodes[i % nodes.length];
      assert.ok(node);
      return untilServed(() => call(node, i));
    });

  test('one destination and one key, hit by all: never a send or a request too many', async (t) => {
    const createdAt = Date.now();
    const destinationHash = unique('hash');
    const sends = { max: 7, windowMs: 10 * MINUTE };
    const byDestination = await nodesOf(t, 3, withLimits({ sendsPerDestination: [sends] }));
    const sent = await race(byDestination, (node) =>
      node.issue(newVerification({ destinationHash, createdAt })),
    );
    assert.deepEqual(tally(sent), { issued: 7, limited: CALLS - 7 });

    const keyId = unique('key');
    const requests = [
      { max: 250, windowMs: 10 * SECOND },
      { max: 130, windowMs: 20 * SECOND },
    ];
    const byKey = await nodesOf(t, 3, withLimits({ requestsPerKey: requests }));
    const asked = await race(byKey, (node) => node.issue(newVerification({ keyId, createdAt })));
    assert.deepEqual(tally(asked), { issued: 130, limited: CALLS - 130 });
  });

  test('guesses at all codes of one destination, right ones among them: no more than its budget', async (t) => {
    const failedGuessesPerDestination = [{ max: 11, windowMs: DAY }];
    const nodes = await nodesOf(t, 2, withLimits({ failedGuessesPerDestination }));
    const [node] = nodes;
    assert.ok(node);
    const destinationHash = unique('hash');
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => issueOne(node, { destinationHash, guesses: 100 })),
    );
    const outcomes = await race(nodes, (each, i) => {
      const v = codes[i % codes.length];
      assert.ok(v);
      return each.confirm(guessAt(v, 'wrong'));
    });
    assert.deepEqual(tally(outcomes), { mismatch: 11, 'attempts-exhausted': CALLS - 11 });
    const right = await race(nodes, (each, i) => {
      const v = codes[i % codes.length];
      assert.ok(v);
      return each.confirm(guessAt(v, 'right'));
    });
    assert.deepEqual(tally(right), { 'attempts-exhausted': CALLS });
  });

  test('a secret is rotated node by node: a send counts whichever secret its node knows', async (t) => {
    const sendsPerDestination = [{ max: 5, windowMs: 10 * MINUTE }];
    const nodes = await nodesOf(t, 3, withLimits({ sendsPerDestination }));
    for (const configurations of [
      [{ destinationHash: 'old A' }, { destinationHash: 'new A', earlierDestinationHashes: ['old A'] }],
      [{ destinationHash: 'new B', earlierDestinationHashes: ['old B'] }, { destinationHash: 'new B' }],
    ]) {
      const outcomes = await race(nodes, (node, i) =>
        node.issue(newVerification(configurations[i % configurations.length])),
      );
      assert.deepEqual(tally(outcomes), { issued: 5, limited: CALLS - 5 });
    }
  });

  test('wrong guesses under a secret and the one before it share a budget', async (t) => {
    const failedGuessesPerDestination = [{ max: 6, windowMs: DAY }];
    const nodes = await nodesOf(t, 2, withLimits({ failedGuessesPerDestination }));
    const [node] = nodes;
    assert.ok(node);
    const make = (wanted: Partial<NewVerification>) =>
      Promise.all(Array.from({ length: 10 }, () => issueOne(node, { guesses: 100, ...wanted })));
    const codes = [
      ...(await make({ destinationHash: 'old C' })),
      ...(await make({ destinationHash: 'new C', earlierDestinationHashes: ['old C'] })),
      ...(await make({ destinationHash: 'newer C', earlierDestinationHashes: ['new C', 'old C'] })),
    ];
    const outcomes = await race(nodes, (each, i) => {
      const v = codes[i % codes.length];
      assert.ok(v);
      return each.confirm(guessAt(v, 'wrong'));
    });
    assert.deepEqual(tally(outcomes), { mismatch: 6, 'attempts-exhausted': CALLS - 6 });
  });

  test('batches over the same rows in any order do not lock one another out', async (t) => {
    const nodes = await nodesOf(t, 3);
    const destinations = Array.from({ length: 30 }, () => unique('hash'));
    const keys = Array.from({ length: 5 }, () => unique('key'));
    const flow = async (node: Store, i: number) => {
      const v = await issueOne(node, {
        destinationHash: destinations[(i * 7) % destinations.length] ?? '',
        keyId: keys[i % keys.length] ?? '',
        leaseUntil: Date.now() + LEASE,
      });
      const other = nodes[(i + 1) % nodes.length];
      assert.ok(other);
      await Promise.all([
        node.settle(settlement(v, FAILOVER, [{ reference: v.id }])),
        other.confirm(guessAt(v, 'wrong')),
        other.receive(receipt(v.createdAt + 2 * SECOND, { references: [v.id] })),
        other.renew([{ id: v.id, fence: 0 }], v.leaseUntil),
      ]);
      return node.confirm(guessAt(v, 'right'));
    };
    const before = await deadlocks();
    assert.deepEqual(tally(await race(nodes, flow)), { confirmed: CALLS });
    assert.equal(await deadlocks(), before);
  });

  test('nor do codes of one number that are confirmed, canceled and paid for at once', async (t) => {
    const nodes = await nodesOf(t, 3);
    const charge = {
      kind: unique('kind'),
      subject: 'all',
      per: 'month',
      money: null,
      messages: null,
    } as const;
    const charges = [{ ...charge, ...periodOf('month', Date.now()) }];
    const reservation = { charges, prices: { smsc: 1, other: 1 } };
    const before = await deadlocks();
    const flow = async (i: number) => {
      const [node, other, third] = [nodes[i % 3], nodes[(i + 1) % 3], nodes[(i + 2) % 3]];
      assert.ok(node && other && third);
      const number = { accountId: unique('acc'), test: false, destinationHash: unique('hash') };
      const wanted = { ...number, byNumber: true, reservation };
      const [first, second] = [await issueOne(node, wanted), await issueOne(node, wanted)];
      const now = second.createdAt + SECOND;
      const candidates = [first, second].map(({ id, codeMac }) => ({ id, codeMac, earlierCodeMacs: [] }));
      await Promise.all([
        ...[first, second].map((v) => node.settle(settlement(v, FAILOVER, [{ reference: v.id }]))),
        other.confirmByNumber({ ...number, test: false, earlierDestinationHashes: [], candidates, now }),
        third.cancel({ ...first, now }),
        third.confirm({ ...guessAt(second, 'wrong'), byNumber: true }),
        other.receive(receipt(now + SECOND, { references: [second.id] })),
      ]);
    };
    await Promise.all(Array.from({ length: 200 }, (_, i) => untilServed(() => flow(i))));
    assert.equal(await deadlocks(), before);
  });

  const deadlocks = async () => {
    const [row] = await lookAt<{ deadlocks: string }>(
      url,
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(row?.deadlocks);
  };

  test('a receipt and the settlement it belongs to always find each other', async (t) => {
    const nodes = await nodesOf(t, 2);
    const applied = await race(nodes, async (node, i) => {
      const v = await issueOne(node);
      const other = nodes[(i + 1) % nodes.length];
      assert.ok(other);
      const [early, direct] = await Promise.all([
        node.settle(settlement(v, FAILOVER, [{ reference: v.id }])),
        other.receive(receipt(v.createdAt + 2 * SECOND, { references: [v.id] })),
      ]);
      return {
        kind: [...early, direct].filter(({ kind }) => kind === 'applied').length === 1 ? 'once' : 'not',
      };
    });
    assert.deepEqual(tally(applied), { once: CALLS });
  });

  test('the deliveries of a node that died are taken over when its leases end, each by one', async (t) => {
    const own = await postgres.createDatabase(postgres.schema);
    const [dead, ...others] = await openNodes(t, own, 3);
    assert.ok(dead);
    const left = await Promise.all(Array.from({ length: 300 }, () => issueOne(dead)));
    const now = Math.max(...left.map(({ leaseUntil }) => leaseUntil));
    const early = await Promise.all(others.map((node) => node.claim(now - LEASE, now, 500)));
    assert.deepEqual(early.flat(), []);
    const claims = Array.from({ length: 10 }, (_, i) => others[i % 2]?.claim(now, now + LEASE, 50) ?? []);
    const taken = (await Promise.all(claims)).flat();
    assert.deepEqual(taken.map(({ id }) => id).sort(), left.map(({ id }) => id).sort());
    const [first] = taken;
    assert.ok(first);
    await dead.settle({ id: first.id, fence: 0, attempts: [], next: DELIVERED, charged: [] });
    assert.equal(await dead.depth(), 300, 'the dead one has nothing to say any more');
  });

  test('a key revoked by one node is seen in the revision of every other', async (t) => {
    const nodes = await nodesOf(t, 3);
    const [node] = nodes;
    assert.ok(node);
    const key = {
      id: unique('key'),
      name: 'a',
      test: false,
      prefix: unique('p'),
      hash: unique('h'),
      createdAt: 1,
    };
    const keys = createKeys(node);
    await keys.createKey('Acme', key, COMMAND_LINE);
    const revisions = () => Promise.all(nodes.map((each) => each.keysRevision()));
    const before = await revisions();
    await keys.touchKeys([{ id: key.id, at: 5, from: '192.0.2.1' }]);
    await issueOne(node);
    assert.deepEqual(await revisions(), before, 'traffic does not move it');
    await keys.revokeKey(key.prefix, 9, COMMAND_LINE);
    for (const [i, revision] of (await revisions()).entries()) assert.ok(revision > (before[i] ?? 0));
  });

  test('nodes that purge at once do so in turns', async (t) => {
    const own = await postgres.createDatabase(postgres.schema);
    const nodes = await openNodes(t, own, 4);
    const [node] = nodes;
    assert.ok(node);
    const now = Date.now();
    const old = await Promise.all(
      Array.from({ length: 1_200 }, () =>
        issueOne(node, {
          createdAt: now - 40 * DAY,
          idempotency: { keyHash: unique('idem'), bodyHash: 'x' },
        }),
      ),
    );
    const fresh = await issueOne(node);
    const purgeAll = async (each: Store) => {
      while (await each.purge(now));
    };
    await Promise.all(nodes.map(purgeAll));
    await purgeAll(node);
    const tables = await lookAt<{ rows: string }>(
      own,
      `SELECT count(*) AS rows FROM idempotency
       UNION ALL SELECT count(*) FROM destination UNION ALL SELECT count(*) FROM verification`,
    );
    assert.deepEqual(
      tables.map(({ rows }) => Number(rows)),
      [0, 1, 1],
    );
    const [v] = old;
    assert.ok(v);
    assert.equal((await node.confirm(guessAt(v, 'right'))).kind, 'unknown');
    assert.equal((await node.confirm(guessAt(fresh, 'right'))).kind, 'confirmed');
  });

  test('while one node purges, another is told that there is nothing to do', async (t) => {
    const own = await postgres.createDatabase(postgres.schema);
    const [node] = await openNodes(t, own, 1);
    assert.ok(node);
    const now = Date.now();
    const v = await issueOne(node, { createdAt: now - 40 * DAY });
    const purger = new pg.Client({ connectionString: own });
    await purger.connect();
    t.after(() => purger.end());
    await purger.query('SELECT pg_advisory_lock($1)', [PURGE_LOCK]);
    assert.equal(await node.purge(now), false);
    assert.equal((await node.confirm(guessAt(v, 'right'))).kind, 'confirmed', 'nothing was purged');
  });
});
