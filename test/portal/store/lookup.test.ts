/** Verifications as the portal shows them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeys } from '../../../src/accounts/keys.ts';
import { COMMAND_LINE } from '../../../src/core/accounts/actor.ts';
import { StoreUnavailable } from '../../../src/core/errors/store-failure.ts';
import { Keyring } from '../../../src/core/secrets/keyring.ts';
import type {
  VerificationCount,
  VerificationDetail,
  VerificationPage,
} from '../../../src/portal/verifications/contract.ts';
import { DELIVERED, guessAt, receipt, SECOND, SUBMITTED, settlement } from '../../store/contract/rig.ts';
import { ACCOUNT, openLookup, path, SECRETS } from './lookup-rig.ts';

const NUMBER = '+4915123456789';
const MASKED = '+49•••••••••89';
const OWNER = { role: 'owner' } as const;
const problemOf = ({ json }: { json: { type: string; errors?: { field: string }[] } }) => ({
  type: json.type.replace('/problems/', ''),
  fields: json.errors?.map(({ field }) => field),
});

test('a list shows masked numbers, names of keys, and never a number or a code', async (t) => {
  const { store, send, get } = await openLookup(t);
  const key = { id: 'key_1', name: 'Shop', test: false, prefix: 'cs_live_x', hash: 'h', createdAt: 1 };
  const { accountId } = await createKeys(store).createKey('Mine', key, COMMAND_LINE);
  const v = await send(NUMBER, { accountId, keyId: 'key_1' });
  await store.settle(settlement(v, DELIVERED, [{ outcome: 'delivered' }]));
  await store.confirm(guessAt(v, 'right'));
  const answer = await get(path('verifications', accountId), { account: accountId });
  assert.equal(answer.status, 200);
  const page: VerificationPage = answer.json;
  assert.deepEqual(page.verifications, [
    {
      id: v.id,
      destination: MASKED,
      channel: 'sms',
      country: 'DE',
      test: false,
      status: 'confirmed',
      carrier: 'smsc',
      carriers_asked: ['smsc'],
      key: { id: 'key_1', name: 'Shop' },
      requested_at: new Date(v.createdAt).toISOString(),
      confirmed_at: new Date(v.createdAt + SECOND).toISOString(),
    },
  ]);
  assert.equal(page.next, null);
  assert.ok(!answer.text.includes('15123456789'));
});

test('nothing that a viewer can look up contains a number or a code', async (t) => {
  const { store, send, get, post } = await openLookup(t);
  const span = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
  for (const test of [true, false]) {
    const v = await send(NUMBER, { test, code: '918273' });
    await store.settle(settlement(v, { kind: 'delivered', inbox: true }, [{ outcome: 'delivered' }]));
    const looked = await Promise.all([
      get(path('verifications')),
      get(path(`verifications/${v.id}`)),
      get(path(`overview?${span}&test=${test}`)),
      get(path(`overview.csv?${span}&test=${test}`)),
      get(path('carriers')),
      post(path('verifications/search'), { query: NUMBER }),
      post(path('verifications/search'), { query: v.id }),
    ]);
    for (const { status, text } of looked) {
      assert.equal(status, 200, text);
      assert.ok(!text.includes('15123456789') && !text.includes('918273'), text);
    }
    assert.equal((await post(path(`verifications/${v.id}/reveal`), {})).status, 403);
  }
});

test('a list goes on page by page, newest first', async (t) => {
  const { send, get } = await openLookup(t);
  const ids: string[] = [];
  const begin = Date.now() - 1_000;
  for (let i = 0; i < 120; i++) ids.unshift((await send(NUMBER, { createdAt: begin + i })).id);
  const seen: string[] = [];
  let before = '';
  do {
    const page: VerificationPage = (await get(path(`verifications${before}`))).json;
    seen.push(...page.verifications.map(({ id }) => id));
    before = page.next === null ? '' : `?before=${page.next}`;
  } while (before !== '');
  assert.deepEqual(seen, ids);
});

test('filters of every kind are understood', async (t) => {
  const { send, get } = await openLookup(t);
  const at = Date.now() - 10_000;
  const german = await send(NUMBER, { createdAt: at, keyId: 'key_1' });
  const call = await send('sip:alice@example.com', { createdAt: at + 1, channel: 'voice', test: true });
  const ask = async (query: string) => {
    const answer = await get(path(`verifications?${query}`));
    assert.equal(answer.status, 200, answer.text);
    return (answer.json as VerificationPage).verifications.map(({ id }) => id);
  };
  const instant = encodeURIComponent(new Date(at + 1).toISOString());
  assert.deepEqual(await ask('status=pending&channel=sms&country=DE&key=key_1&test=false'), [german.id]);
  assert.deepEqual(await ask('test=true'), [call.id]);
  assert.deepEqual(await ask('carrier=smsc'), []);
  assert.deepEqual(await ask(`from=${instant}`), [call.id]);
  assert.deepEqual(await ask(`to=${instant}`), [german.id]);
});

test('a carrier finds what it refused, in the list, its count and its file', async (t) => {
  const { store, send, get } = await openLookup(t);
  const at = Date.now() - 10_000;
  const refused = await send(NUMBER, { createdAt: at });
  const refusals = ['acme', 'beta'].map(
    (carrier) => ({ carrier, outcome: 'permanent', reason: 'no' }) as const,
  );
  await store.settle(settlement(refused, { kind: 'failed' }, refusals));
  const passedOn = await send(NUMBER, { createdAt: at + 1 });
  const beta = { carrier: 'beta', reference: 'r1' };
  await store.settle(settlement(passedOn, SUBMITTED, [...refusals.slice(0, 1), beta]));
  await send(NUMBER, { createdAt: at + 2 });

  const ask = async (query: string) => {
    const list = await get(path(`verifications?${query}`));
    assert.equal(list.status, 200, list.text);
    const { verifications }: VerificationPage = list.json;
    const count: VerificationCount = (await get(path(`verifications/count?${query}`))).json;
    assert.deepEqual(count, { count: verifications.length, searched_to: null });
    const file = await get(path(`verifications.csv?${query}`));
    assert.equal(file.text.trim().split('\r\n').length - 1, verifications.length);
    return verifications.map(({ carrier, carriers_asked }) => [carrier, ...carriers_asked]);
  };
  const [both, none] = [
    ['beta', 'acme', 'beta'],
    [null, 'acme', 'beta'],
  ];
  assert.deepEqual(await ask('carrier=acme'), [both, none]);
  assert.deepEqual(await ask('carrier=beta&attempt=refused'), [none]);
  assert.deepEqual(await ask('attempt=accepted&counted=true'), [both]);
  assert.deepEqual(await ask('carrier=smsc'), []);
  assert.match((await get(path('verifications.csv?carrier=acme'))).text, /,acme beta\r\n/);
});

test('invalid filters are named', async (t) => {
  const { get, post } = await openLookup(t);
  const cases: [string, string[]][] = [
    ['status=lost', ['status']],
    ['channel=fax&country=Germany', ['channel', 'country']],
    ['from=yesterday', ['from']],
    ['from=2016-12-31T23:59:60Z', ['from']],
    ['from=2026-11-20T00:00:00Z&to=2026-11-19T00:00:00Z', ['to']],
    ['before=nothing', ['before']],
    ['test=maybe', ['test']],
    ['attempt=maybe&counted=false', ['attempt', 'counted']],
  ];
  for (const [query, fields] of cases) {
    const answer = await get(path(`verifications?${query}`));
    assert.deepEqual([query, problemOf(answer)], [query, { type: 'invalid-request', fields }]);
  }
  for (const query of ['+49', 'Ada', 'ver_1']) {
    const answer = await post(path('verifications/search'), { query });
    assert.deepEqual(problemOf(answer), { type: 'invalid-request', fields: ['query'] });
    assert.ok(!answer.text.includes(query === '+49' ? '"+49"' : query));
  }
});

test('a number is found however it is spelled, live and test, under the current and the previous secret', async (t) => {
  const previous = new Keyring(SECRETS[1]);
  const keyring = new Keyring(SECRETS[0], SECRETS[1]);
  const { send, post } = await openLookup(t, { keyring });
  const at = Date.now() - 10_000;
  const old = await send(NUMBER, { createdAt: at, keyring: previous });
  const live = await send(NUMBER, { createdAt: at + 1, keyring });
  const tried = await send(NUMBER, { createdAt: at + 2, keyring, test: true });
  await send('+4915123456788', { createdAt: at + 3, keyring });
  await send(NUMBER, { createdAt: at + 4, keyring, accountId: 'acc_other' });
  for (const query of [NUMBER, '+49 (151) 2345-6789', 'tel:+4915123456789']) {
    const page: VerificationPage = (await post(path('verifications/search'), { query })).json;
    assert.deepEqual(
      page.verifications.map(({ id }) => id),
      [tried.id, live.id, old.id],
      query,
    );
  }
  const filtered: VerificationPage = (
    await post(path('verifications/search'), { query: NUMBER, test: 'true' })
  ).json;
  assert.deepEqual(
    filtered.verifications.map(({ id }) => id),
    [tried.id],
  );
});

test('an id is found by the search, and one of another account is not', async (t) => {
  const { send, post } = await openLookup(t);
  const [mine, other] = [await send(NUMBER), await send(NUMBER, { accountId: 'acc_other' })];
  const search = async (query: string) =>
    ((await post(path('verifications/search'), { query })).json as VerificationPage).verifications.length;
  assert.equal(await search(` ${mine.id} `), 1);
  assert.equal(await search(other.id), 0);
});

test('a verification is shown with each attempt and its receipt', async (t) => {
  const { store, send, get } = await openLookup(t);
  const v = await send('tel:+12025550123;ext=12', { channel: 'voice' });
  await store.settle(
    settlement(v, SUBMITTED, [
      { carrier: 'a', outcome: 'temporary', reason: 'throttled', choice: '1st of 2 in order' },
      { carrier: 'smsc', reference: 'r1', choice: '2nd of 2 in order', cost: 7_500 },
    ]),
  );
  const stated = { price: 33_300, network: '310800' };
  await store.receive(receipt(v.createdAt + 4 * SECOND, { references: ['r1'], ...stated }));
  await store.confirm(guessAt(v, 'wrong'));
  const detail: VerificationDetail = (await get(path(`verifications/${v.id}`))).json;
  assert.equal(detail.verification.destination, '+1••••••••23;ext=•••');
  assert.equal(detail.verification.carrier, 'smsc');
  assert.deepEqual([detail.guesses_used, detail.guesses_left], [1, 4]);
  const started_at = new Date(v.createdAt + SECOND).toISOString();
  assert.deepEqual(detail.attempts, [
    {
      ...{ carrier: 'a', choice: '1st of 2 in order', started_at, ms: 20, outcome: 'temporary' },
      ...{ channel: 'voice', reason: 'throttled', cost: 0, receipt: null },
    },
    {
      ...{ carrier: 'smsc', choice: '2nd of 2 in order', started_at, ms: 20, outcome: 'accepted' },
      ...{ channel: 'voice', reason: null },
      cost: 0.0333,
      receipt: {
        ...{ status: 'delivered', reason: null, network: '310800' },
        at: new Date(v.createdAt + 4 * SECOND).toISOString(),
        price: { amount: 0.0333, currency: 'EUR' },
      },
    },
  ]);
});

test('a missed call starts with fewer guesses, and none of them is used', async (t) => {
  const { store, send, get } = await openLookup(t);
  const v = await send(NUMBER, { channel: 'flashcall', guesses: 3 });
  const used = async () => {
    const detail: VerificationDetail = (await get(path(`verifications/${v.id}`))).json;
    return detail.guesses_used;
  };
  assert.equal(await used(), 0);
  await store.confirm(guessAt(v, 'wrong'));
  assert.equal(await used(), 1);
});

test('another account’s verification looks as if it did not exist', async (t) => {
  const { send, get, post } = await openLookup(t);
  const other = await send(NUMBER, { accountId: 'acc_other' });
  for (const id of [other.id, `ver_${'0'.repeat(32)}`, 'nothing']) {
    assert.deepEqual(problemOf(await get(path(`verifications/${id}`))).type, 'not-found');
    assert.deepEqual(problemOf(await post(path(`verifications/${id}/reveal`), {}, OWNER)).type, 'not-found');
  }
});

test('an owner sees the number, and only after the audit entry is written', async (t) => {
  const rig = await openLookup(t);
  const v = await rig.send(NUMBER);
  const reveal = path(`verifications/${v.id}/reveal`);
  rig.refuseWrites = new StoreUnavailable('away');
  const refused = await rig.post(reveal, {}, OWNER);
  assert.equal(refused.status, 503);
  assert.ok(!refused.text.includes(NUMBER), 'nothing is told that is not on record');
  rig.refuseWrites = undefined;

  const answer = await rig.post(reveal, {}, OWNER);
  assert.deepEqual([answer.status, answer.json], [200, { destination: NUMBER }]);
  const [step] = rig.written;
  assert.ok(rig.written.length === 1 && step !== undefined && 'args' in step);
  for (const value of [ACCOUNT, 'Ada', '192.0.2.7', 'verification.revealed', v.id]) {
    assert.ok(step.args.includes(value), value);
  }
  assert.ok(!JSON.stringify(rig.written).includes('15123456789'), 'the log holds no number');
});

test('other members do not see it, and nothing is recorded', async (t) => {
  const { send, post, written } = await openLookup(t);
  const v = await send(NUMBER);
  for (const role of ['viewer', 'developer'] as const) {
    const answer = await post(path(`verifications/${v.id}/reveal`), {}, { role });
    assert.equal(answer.status, 403);
  }
  assert.deepEqual(written, []);
});

test('a number sealed under a secret that is gone is not shown, but others are', async (t) => {
  const { send, get, post } = await openLookup(t);
  const at = Date.now() - 1_000;
  const lost = await send(NUMBER, { createdAt: at, keyring: new Keyring(SECRETS[1]) });
  await send(NUMBER, { createdAt: at + 1 });
  const page: VerificationPage = (await get(path('verifications'))).json;
  assert.deepEqual(
    page.verifications.map(({ destination }) => destination),
    [MASKED, '•••'],
  );
  const answer = await post(path(`verifications/${lost.id}/reveal`), {}, OWNER);
  assert.equal(problemOf(answer).type, 'not-found');
});
