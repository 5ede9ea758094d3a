/** What a copy holds, next to what it was copied from: the same calls get the same answers on both sides. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { readAuditLog } from '../../src/accounts/audit.ts';
import { readMembers } from '../../src/accounts/members.ts';
import { findPersonByEmail } from '../../src/accounts/people.ts';
import { query } from '../../src/core/accounts/records.ts';
import { periodOf } from '../../src/core/budgets/budget.ts';
import type { Progress } from '../../src/core/progress.ts';
import type { NewVerification } from '../../src/core/verification/verification.ts';
import { mintRecoveryCodes } from '../../src/portal/factors/recovery-codes.ts';
import { openSetup, setUp } from '../../src/portal/first-run/setup.ts';
import { readMe } from '../../src/portal/me/me.ts';
import { moveStore } from '../../src/store/move/move.ts';
import type { Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import {
  DAY,
  DELIVERED,
  FAILOVER,
  guessAt,
  HOUR,
  issueOne,
  LAX,
  LEASE,
  MINUTE,
  newVerification,
  type Rules,
  receipt,
  SECOND,
  settlement,
  unique,
  withLimits,
} from './contract/rig.ts';
import { addressOf, lookAt, openNode } from './postgres/rig.ts';

let postgres: Postgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.dispose());

interface Sides {
  readonly original: Store;
  readonly copy: Store;
  readonly url: string;
  readonly counts: ReadonlyMap<string, number>;
}

/** A store that `fill` was run on, and its copy. */
async function copied(t: TestContext, rules: Rules, fill: (store: Store) => Promise<void>): Promise<Sides> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-copy-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const open = () => openSqliteStore({ dataDir, exclusive: true, ...rules });
  const filled = await open();
  try {
    await fill(filled);
  } finally {
    await filled.close();
  }
  const url = await postgres.createDatabase();
  const reports: Progress[] = [];
  const outcome = await moveStore({
    dataDir,
    address: addressOf(url),
    ...rules,
    opens: () => true,
    report: (progress) => void reports.push(progress),
  });
  assert.ok(outcome.kind === 'moved');
  const ends = new Map(reports.map(({ step, done, total }) => [step, [done, total]]));
  assert.deepEqual(ends.get('checking the store'), [undefined, undefined]);
  for (const [name, count] of outcome.counts) {
    if (count > 0) assert.deepEqual(ends.get(`copying ${name}`), [count, count]);
  }
  const [original, copy] = await Promise.all([open(), openNode(url, rules)]);
  t.after(() => Promise.all([original.close(), copy.close()]));
  return { original, copy, url, counts: outcome.counts };
}

async function assertSame(
  { original, copy }: Sides,
  call: (store: Store) => Promise<unknown>,
): Promise<void> {
  assert.deepEqual(await call(copy), await call(original));
}

/** Numbers that look random and are the same in each run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield Math.floor(state / 2 ** 12);
  }
}

test('limits, guesses and idempotency keys answer as before', async (t) => {
  const rules = withLimits({
    requestsPerKey: [{ max: 12, windowMs: HOUR }],
    sendsPerDestination: [
      { max: 3, windowMs: MINUTE },
      { max: 6, windowMs: HOUR },
    ],
    failedGuessesPerDestination: [{ max: 4, windowMs: HOUR }],
  });
  const random = numbers(17);
  const upTo = (count: number) => random.next().value % count;
  const accountId = unique('acc');
  const start = Date.now() - 5 * MINUTE;
  const made: NewVerification[] = [];
  /** The call number `n` of a script of mixed calls. */
  const callAt = (n: number): ((store: Store) => Promise<unknown>) => {
    const now = start + n * SECOND;
    const guessed = made[upTo(Math.max(1, made.length))];
    if (guessed !== undefined && upTo(3) === 0) {
      const code = upTo(4) === 0 ? 'right' : 'wrong';
      return (store) => store.confirm(guessAt(guessed, code, now));
    }
    const verification = newVerification({
      accountId,
      keyId: `key_${upTo(6)}`,
      destinationHash: `destination ${upTo(8)}`,
      createdAt: now,
      guesses: 3,
      idempotency: upTo(3) === 0 ? { keyHash: `idempotency ${upTo(9)}`, bodyHash: 'body' } : null,
    });
    made.push(verification);
    return (store) => store.issue(verification);
  };
  // Counts for longer than the limits of the service.
  const limits = [{ max: 1, windowMs: DAY }];
  const { accountId: owner, destinationHash } = newVerification();
  const own = { accountId: owner, destinationHash };
  const longAgo = newVerification({ ...own, limits, createdAt: start - 20 * HOUR });
  const sides = await copied(t, rules, async (store) => {
    await store.issue(longAgo);
    await store.confirm({ ...guessAt(longAgo, 'wrong'), limits });
    for (let n = 0; n < 150; n++) await callAt(n)(store);
  });
  await assertSame(sides, (store) => store.issue(newVerification({ ...own, limits, createdAt: start })));
  const fresh = newVerification({ ...own, createdAt: start });
  await assertSame(sides, (store) => store.issue(fresh));
  await assertSame(sides, (store) => store.confirm({ ...guessAt(fresh, 'right'), limits }));
  for (let n = 150; n < 300; n++) await assertSame(sides, callAt(n));
  for (const each of made)
    await assertSame(sides, (store) => store.confirm(guessAt(each, 'right', start + 5 * MINUTE)));
});

test('the queue, its attempts and receipts go on as before', async (t) => {
  const at = Date.now() - MINUTE;
  const made: NewVerification[] = [];
  const issue = async (store: Store) => {
    const verification = await issueOne(store, { createdAt: at + made.length });
    made.push(verification);
    return verification;
  };
  const references = { waiting: unique('ref'), early: unique('ref'), taken: unique('ref') };
  const sides = await copied(t, LAX, async (store) => {
    await issue(store);
    const retried = await issue(store);
    const refused = { outcome: 'permanent', carrier: 'first' } as const;
    await store.settle(
      settlement(retried, { kind: 'retry', dueAt: at + 5 * MINUTE }, [refused, { outcome: 'temporary' }]),
    );
    const waiting = await issue(store);
    await store.settle(settlement(waiting, FAILOVER, [{ reference: references.waiting }]));
    const delivered = await issue(store);
    await store.settle(
      settlement(delivered, DELIVERED, [{ outcome: 'delivered', reference: references.taken }]),
    );
    await store.receive(receipt(at, { references: [references.taken] }));
    const inbox = await issue(store);
    await store.settle(settlement(inbox, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
    await store.receive(receipt(at, { references: [references.early, 'nul\0l'], recipientTags: ['tag'] }));
  });
  await assertSame(sides, (store) => store.depth());
  for (const { accountId, destinationHash } of made) {
    await assertSame(sides, (store) => store.list(accountId, null, 10));
    await assertSame(sides, (store) => store.list(accountId, [destinationHash], 10));
  }
  const undelivered = receipt(Date.now(), { references: [references.waiting], status: 'undelivered' });
  await assertSame(sides, (store) => store.receive(undelivered));
  await assertSame(sides, (store) => store.receive(receipt(Date.now(), { references: [references.taken] })));
  const now = Date.now();
  await assertSame(sides, async (store) => {
    const claimed = await store.claim(now, now + LEASE, 10);
    return claimed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  });
  const [first] = made;
  assert.ok(first !== undefined);
  await assertSame(sides, (store) =>
    store.settle(settlement(first, DELIVERED, [{ reference: references.early, recipientTag: 'tag' }], 1)),
  );
  for (const each of made) await assertSame(sides, (store) => store.confirm(guessAt(each, 'right')));
});

test('while a secret is rotated, sends and failures count under both hashes', async (t) => {
  const rules = withLimits({
    sendsPerDestination: [{ max: 3, windowMs: HOUR }],
    failedGuessesPerDestination: [{ max: 3, windowMs: DAY }],
  });
  const at = Date.now() - MINUTE;
  const accountId = unique('acc');
  const before = { accountId, destinationHash: 'old' };
  const since = { accountId, destinationHash: 'new', earlierDestinationHashes: ['old'] };
  const issued: NewVerification[] = [];
  const sides = await copied(t, rules, async (store) => {
    issued.push(await issueOne(store, { ...before, createdAt: at }));
    issued.push(await issueOne(store, { ...since, createdAt: at + SECOND }));
    for (const each of issued) await store.confirm(guessAt(each, 'wrong'));
  });
  assert.deepEqual(
    await lookAt(
      sides.url,
      'SELECT hash, cardinality(sends) AS sends, cardinality(failures) AS failures FROM destination ORDER BY hash',
    ),
    [
      { hash: 'new', sends: 1, failures: 1 },
      { hash: 'old', sends: 2, failures: 2 },
    ],
  );
  const [, second] = issued;
  assert.ok(second !== undefined);
  for (const createdAt of [at + 2 * SECOND, at + 3 * SECOND]) {
    const next = newVerification({ ...since, createdAt });
    await assertSame(sides, (store) => store.issue(next));
  }
  for (let i = 0; i < 3; i++) await assertSame(sides, (store) => store.confirm(guessAt(second, 'wrong')));
});

test('of an erased verification only its send goes along', async (t) => {
  const rules = withLimits({ sendsPerDestination: [{ max: 2, windowMs: HOUR }] });
  const createdAt = Date.now() - MINUTE;
  const { destinationHash } = newVerification();
  const sides = await copied(t, rules, async (store) => {
    const [{ id }] = [await issueOne(store, { destinationHash, createdAt }), await issueOne(store)];
    const erasure = { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now: Date.now() };
    await store.transact([{ erase: erasure }]);
  });
  assert.equal(sides.counts.get('verifications'), 1);
  const again = newVerification({ destinationHash, createdAt });
  await assertSame(sides, (store) => store.issue(again));
  assert.equal((await sides.copy.confirm(guessAt(again, 'right'))).kind, 'confirmed');
  const more = newVerification({ destinationHash, createdAt });
  await assertSame(sides, (store) => store.issue(more));
  assert.deepEqual(await sides.copy.confirm(guessAt(more, 'right')), { kind: 'unknown' });
});

test('requests are numbered from the rings of all limits', async (t) => {
  const rules = withLimits({
    requestsPerKey: [
      { max: 40, windowMs: HOUR },
      { max: 3, windowMs: SECOND },
    ],
  });
  const at = Date.now() - MINUTE;
  const keyId = unique('key');
  const sides = await copied(t, rules, async (store) => {
    for (let n = 0; n < 35; n++) await issueOne(store, { keyId, createdAt: at + SECOND * Math.floor(n / 3) });
  });
  const [log] = await lookAt<{ requests: string }>(sides.url, 'SELECT requests FROM key_usage');
  assert.equal(log?.requests, '35');
  for (let n = 35; n < 45; n++) {
    const next = newVerification({ keyId, createdAt: at + SECOND * n });
    await assertSame(sides, (store) => store.issue(next));
  }
});

test('what is past its retention stays behind', async (t) => {
  const old = Date.now() - 3 * DAY;
  const rules = { ...LAX, retention: { ...LAX.retention, verifications: 2 * DAY } };
  const { counts, copy } = await copied(t, rules, async (store) => {
    const gone = await issueOne(store, { createdAt: old });
    await store.settle(settlement(gone, FAILOVER, [{}]));
    await issueOne(store, { createdAt: old + 2 * DAY });
  });
  assert.deepEqual(
    [counts.get('verifications'), counts.get('attempts'), counts.get('waiting deliveries')],
    [1, 0, 1],
  );
  assert.equal(await copy.depth(), 1);
});

test('counts and quotas go on as before', async (t) => {
  const at = Date.now() - 30 * HOUR;
  const made: NewVerification[] = [];
  const flow = async (store: Store, i: number) => {
    const v = await issueOne(store, { createdAt: at + i * 20 * MINUTE, test: i % 7 === 0 });
    made.push(v);
    await store.settle(settlement(v, FAILOVER, [{ carrier: `c${i % 3}`, reference: `r${i}`, cost: i }]));
    if (i % 2 > 0)
      await store.receive(receipt(v.createdAt + i * SECOND, { carrier: `c${i % 3}`, references: [`r${i}`] }));
    await store.confirm(guessAt(v, i % 4 > 0 ? 'right' : 'wrong'));
  };
  const day = Math.floor(at / DAY) + 1;
  const sides = await copied(t, LAX, async (store) => {
    for (let i = 0; i < 60; i++) await flow(store, i);
    while (await store.purge(at + 30 * HOUR));
    for (let i = 60; i < 70; i++) await flow(store, i);
    await store.takeQuota('smsc', day, 10, 7);
  });
  const ask = async () => {
    // Of hours, and of days.
    for (const step of [HOUR, DAY]) {
      const query = { from: 0, to: at + 60 * HOUR, step };
      await assertSame(sides, (store) =>
        store.tally({ ...query, by: ['time', 'channel', 'country', 'carrier', 'key'] }),
      );
      await assertSame(sides, (store) => store.latencies({ ...query, by: ['time', 'carrier'], test: false }));
    }
  };
  await ask();
  await assertSame(sides, (store) => store.takeQuota('smsc', day, 10, 7));
  const late = made.at(-1);
  assert.ok(late !== undefined);
  const again = { carrier: 'c0', references: [`r${made.length - 1}`], status: 'undelivered' } as const;
  await assertSame(sides, (store) => store.receive(receipt(late.createdAt + HOUR, again)));
  await assertSame(sides, (store) => store.settle(settlement(late, FAILOVER, [{ carrier: 'c0' }])));
  for (const store of [sides.original, sides.copy]) while (await store.purge(at + 60 * HOUR));
  await ask();
});

test('people of the portal come along with what they sign in with, and so does the audit log', async (t) => {
  const now = Date.now();
  let personId = '';
  const sides = await copied(t, LAX, async (store) => {
    const token = (await openSetup(store, now)) ?? '';
    const made = setUp(
      token,
      { email: 'pat@example.com', name: 'Pat', password: 'hash', address: '::1' },
      now,
    );
    personId = made.personId;
    await store.transact([...made.steps, ...mintRecoveryCodes(personId).steps]);
    await query(store, "INSERT INTO passkey VALUES ('pk', $1, 'Laptop', 'key', 3, '[]', 1, NULL)", personId);
    await query(store, "INSERT INTO identity VALUES ('https://sso', 'pat', 'idn', $1, 1, 2)", personId);
  });
  await assertSame(sides, (store) => readMe(store, personId));
  const { accounts, passkeys, identities, recovery_codes_left } = await readMe(sides.copy, personId);
  assert.deepEqual([passkeys.length, identities.length, recovery_codes_left], [1, 1, 10]);
  const [{ id } = { id: '' }] = accounts;
  await assertSame(sides, (store) => readAuditLog(store, id));
  assert.equal((await readAuditLog(sides.copy, id)).entries.length, 1);
  await assertSame(sides, (store) => readMembers(store, id, now));
  await assertSame(sides, (store) => findPersonByEmail(store, 'pat@example.com'));
});

test('what is reserved in budgets stays reserved, and comes back once', async (t) => {
  const now = Date.now();
  const charges = (['day', 'month'] as const).map((per) => ({
    ...{ kind: 'account', subject: 'acc', per, money: 310, messages: null },
    ...periodOf(per, now),
  }));
  const reservation = { charges, prices: { smsc: 100, other: 50 } };
  const made: NewVerification[] = [];
  const sides = await copied(t, LAX, async (store) => {
    for (let i = 0; i < 2; i++) made.push(await issueOne(store, { createdAt: now, reservation }));
    for (const v of made) await store.settle(settlement(v, FAILOVER, [{}]));
  });
  const next = newVerification({ createdAt: now, reservation });
  const used = (store: Store) => store.budgetUse(now, []).then((uses) => uses.map(({ money }) => money));
  assert.deepEqual(await used(sides.copy), [300, 300]);
  await assertSame(sides, (store) => store.issue(next));
  for (const v of made) await assertSame(sides, (store) => store.confirm(guessAt(v, 'right')));
  await assertSame(sides, used);
  assert.deepEqual(await used(sides.copy), [200, 200]);
});
