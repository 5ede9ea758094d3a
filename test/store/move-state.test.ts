/** What a copy holds, next to what it was copied from: the same calls get the same answers on both sides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAlertWebhook, subscribe } from '../../src/accounts/alerts/channels.ts';
import { auditStep, readAuditLog } from '../../src/accounts/audit.ts';
import { verifyAuditLog } from '../../src/accounts/audit-log/verify.ts';
import { membersOf, readInvitations } from '../../src/accounts/lists/members.ts';
import { findPersonByEmail } from '../../src/accounts/people.ts';
import { THE_SERVICE } from '../../src/core/accounts/actor.ts';
import type { DueMessage } from '../../src/core/events/event.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import { query } from '../../src/core/sql/records.ts';
import { seenByPeople } from '../../src/core/verification/scope.ts';
import type { NewVerification } from '../../src/core/verification/verification.ts';
import { mintRecoveryCodes } from '../../src/identity/factors/recovery-codes.ts';
import { openSetup, setUp } from '../../src/identity/first-run/setup.ts';
import { readMe } from '../../src/identity/me/me.ts';
import { dismissStart } from '../../src/portal/start/dismissal.ts';
import type { Store } from '../../src/store/port.ts';
import { dueOf, newAccount, newEndpoint } from './contract/events/rig.ts';
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
  receipt,
  SECOND,
  settlement,
  unique,
} from './contract/rig.ts';
import { assertSame, copied } from './move-state/copy.ts';
import { describeCounted } from './move-state/counted.ts';

describeCounted();

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
    const stated = { price: 33_300, currency: null, network: '26201' };
    await store.receive(receipt(at, { references: [references.taken], ...stated }));
    const inbox = await issue(store);
    await store.settle(settlement(inbox, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
    const early = { references: [references.early, 'nul\0l'], recipientTags: ['tag'] };
    await store.receive(receipt(at, { ...early, ...stated, price: 44_400, currency: 'USD' }));
  });
  await assertSame(sides, (store) => store.depth());
  for (const { accountId, destinationHash } of made) {
    await assertSame(sides, (store) => store.list(seenByPeople(accountId), null, 10, Date.now()));
    await assertSame(sides, (store) =>
      store.list(seenByPeople(accountId), [destinationHash], 10, Date.now()),
    );
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
  for (const { accountId, id } of made) {
    await assertSame(
      sides,
      async (store) => (await store.findArchived(seenByPeople(accountId), id, now))?.attempts,
    );
  }
  for (const each of made) await assertSame(sides, (store) => store.confirm(guessAt(each, 'right')));
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
  const accountId = unique('acc');
  const made: NewVerification[] = [];
  const flow = async (store: Store, i: number) => {
    const createdAt = at + i * 20 * MINUTE;
    const v = await issueOne(store, { accountId, keyId: `key ${i % 5}`, createdAt, test: i % 7 === 0 });
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
      await assertSame(sides, (store) => store.tally({ ...query, accountId, by: ['time', 'carrier'] }));
      await assertSame(sides, (store) => store.tally({ ...query, accountId, by: ['time', 'key'] }));
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
      store,
      token,
      { email: 'pat@example.com', name: 'Pat', password: 'hash', address: '::1' },
      now,
    );
    personId = made.personId;
    await store.transact([...made.steps, ...mintRecoveryCodes(store, personId).steps]);
    await query(store, "INSERT INTO passkey VALUES ('pk', $1, 'Laptop', 'key', 3, '[]', 1, NULL)", personId);
    await query(store, "INSERT INTO identity VALUES ('https://sso', 'pat', 'idn', $1, 1, 2)", personId);
  });
  await assertSame(sides, (store) => readMe(store, personId));
  const { accounts, passkeys, identities, recovery_codes_left } = await readMe(sides.copy, personId);
  assert.deepEqual([passkeys.length, identities.length, recovery_codes_left], [1, 1, 10]);
  const [{ id } = { id: '' }] = accounts;
  await assertSame(sides, (store) => readAuditLog(store, id));
  assert.equal((await readAuditLog(sides.copy, id)).entries.length, 1);
  await assertSame(sides, (store) => verifyAuditLog(store, id, Date.now()));
  const entry = {
    accountId: id,
    by: { name: 'Pat', address: '::1' },
    action: 'key.changed' as const,
    subject: '',
    detail: '',
    at: now,
  };
  await sides.copy.transact([auditStep(sides.copy, entry)]);
  const gone = await verifyAuditLog(sides.copy, id, Date.now());
  assert.ok(gone.ok && gone.facts.last.seq === 2, 'the chain goes on');
  await assertSame(sides, (store) => membersOf(store, id, {}).read(undefined, 10));
  await assertSame(sides, (store) => readInvitations(store, id, {}, now));
  await assertSame(sides, (store) => findPersonByEmail(store, 'pat@example.com'));
});

test('webhooks go on where they were', async (t) => {
  const now = Date.now();
  let hook = '';
  const sides = await copied(t, LAX, async (store) => {
    const accountId = await newAccount(store);
    hook = await newEndpoint(store, accountId);
    for (let i = 0; i < 5; i++) {
      const v = await issueOne(store, { accountId, createdAt: now });
      if (i === 0) await store.confirm(guessAt(v, 'right'));
    }
    await query(store, 'UPDATE webhook_message SET due_at = NULL, sent_at = 1 WHERE seq = 2');
  });
  const due = async (store: Store) => {
    const found = await dueOf(store, hook);
    // Those that the stores write from now on have ids of their own, and come in any order.
    return found
      .map(({ seq: _, id: __, ...rest }) => rest)
      .sort((a, b) => (wordsOf(a) < wordsOf(b) ? -1 : 1));
  };
  const wordsOf = ({ type, verificationId }: Pick<DueMessage, 'type' | 'verificationId'>) =>
    `${type} ${verificationId}`;
  await assertSame(sides, due);
  await assertSame(sides, async (store) => (await dueOf(store, hook)).map(({ id }) => id));
  await assertSame(sides, (store) => store.tellExpired(now + HOUR, 100));
  await assertSame(sides, due);
  assert.equal((await due(sides.copy)).length, 9);
});

test('alerts, and what accounts and people decided, go along', async (t) => {
  const now = Date.now();
  const sides = await copied(t, LAX, async (store) => {
    const accountId = await newAccount(store);
    const change = { accountId, by: THE_SERVICE, now };
    await subscribe(store, { ...change, personId: 'per_1' });
    await dismissStart({ records: store, accountId, personId: 'per_1' }, now);
    const keyring = new Keyring('a secret of forty characters, for tests..');
    await placeAlertWebhook({ records: store, keyring, privateNetworks: [] }, change, 'https://x.example/');
    const columns = 'account_id, rule, subject, detail, place, bad_since, firing_since, told_at, over_at';
    await query(
      store,
      `INSERT INTO alert (id, ${columns}) VALUES ('alr_1', '', 'queue-late', 'queue', '', '', 1, 2, 3, NULL)`,
    );
    await query(
      store,
      `INSERT INTO alert_notice (id, alert_id, account_id, channel, target, kind, at, facts, due_at)
        VALUES ('aln_1', 'alr_1', '', 'email', 'ops@example.com', 'firing', 3, '{}', 3)`,
    );
  });
  for (const table of ['alert', 'alert_notice', 'alert_subscriber', 'alert_webhook', 'start_dismissal']) {
    await assertSame(sides, (store) => query(store, `SELECT * FROM ${table}`));
    assert.equal((await query(sides.copy, `SELECT * FROM ${table}`)).length, 1, table);
  }
});
