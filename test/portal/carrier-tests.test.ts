/** Tests of carriers in the portal: one message over one carrier, few of them, refused where `/verify` refuses, and no traffic. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../../src/core/sql/records.ts';
import type { CarrierTestView } from '../../src/portal/carrier-tests/contract.ts';
import type { RouteAnswer as Explained } from '../../src/portal/routing/contract.ts';
import { type Answer, eventually, faultyFields, freshNumber, problemOf } from '../acceptance/client.ts';
import { withStoreOf } from '../events/endpoint.ts';
import { accept, answer as answerWith, type Gateway, hang, openGateway } from '../faults/gateway.ts';
import { SAMPLES } from './catalogue.ts';
import { logOf, type PortalRig, read, startPortal, type Visitor } from './rig.ts';

/** Long enough for a second try, if there were any. */
const RETRY_MS = 1_500;
const SIP = 'sip:alice@intranet.example.com';

suite('tests of carriers', () => {
  const closers: (() => unknown)[] = [];
  let routed: Gateway;
  let other: Gateway;
  let rig: PortalRig;
  let owner: Visitor;

  before(async () => {
    [routed, other] = [await openGateway(), await openGateway()];
    for (const gateway of [routed, other]) closers.push(() => gateway[Symbol.asyncDispose]());
    rig = await startPortal(
      { after: (close) => void closers.push(close) },
      {
        env: { COUNTERSIGN_GUARD_MODE: 'enforce' },
        config: {
          currency: 'EUR',
          limits: { sendsPerDestination: ['2/10m'] },
          guard: { countries: ['DE', 'ZZ'] },
          carriers: {
            routed: { ...routed.carrier, prices: { default: 0.05 } },
            other: { ...other.carrier, channels: ['sms', 'voice', 'telegram'], prices: { default: 0.07 } },
          },
          routes: [
            { channel: 'sms', countries: ['FR'], carriers: ['other'] },
            { channel: 'sms', carriers: ['routed'] },
            { channel: 'voice', carriers: ['simulator'] },
          ],
          budgets: [{ of: 'account', per: 'day', messages: 6 }],
        },
      },
    );
    owner = await rig.setUp();
  });
  after(async () => {
    for (const close of closers.reverse()) await close();
  });

  /** An account of the test's own, because each may send few. */
  async function openAccount(name: string) {
    const { id } = read<{ id: string }>(await owner.post('/portal/api/accounts', { name }));
    const path = `/portal/api/accounts/${id}`;
    const key = await rig.service.createKey('live', { account: name });
    const send = (carrier: string, number: string, idempotencyKey?: string, channel = 'sms') =>
      owner.post(
        `${path}/carriers/${carrier}/test`,
        { number, channel },
        idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } },
      );
    const list = async () => read<CarrierTestView[]>(await owner.get(`${path}/carriers/tests`));
    /** As it is once the carrier has answered. */
    const answered = async (sent: Answer): Promise<CarrierTestView> => {
      const { id: test } = read<CarrierTestView>(sent);
      const found = await eventually(async () =>
        (await list()).find((each) => each.id === test && each.answer !== null),
      );
      assert.ok(found);
      return found;
    };
    return {
      path,
      key,
      send,
      list,
      answered,
      verify: (to: string) => rig.service.client.verify(to, 'sms', { key }),
    };
  }

  test('one goes over this carrier and no other, and is in no figure but the cost', async () => {
    const { path, key, send, list, answered } = await openAccount('Acme');
    const hook = read<{ webhook: { id: string } }>(
      await owner.post(`${path}/webhooks`, { url: SAMPLES.url, types: [] }),
    ).webhook.id;
    const number = freshNumber();
    const sent = await send('other', number);
    const { id, state, ...asked } = read<CarrierTestView>(sent);
    assert.ok(state === 'waiting' || state === 'taken');
    assert.deepEqual([asked.carrier, asked.channel, asked.receipt], ['other', 'sms', null]);
    const taken = await answered(sent);
    assert.deepEqual(
      [taken.state, taken.answer?.reference, taken.answer?.cost],
      ['taken', `ref-${id}`, 0.07],
    );
    assert.deepEqual([other.received.length, routed.received.length], [1, 0]);
    assert.equal(other.received[0]?.to, number);

    const code = other.received[0]?.code ?? '';
    const confirmed = await rig.service.client.confirm(id, code, { key });
    assert.deepEqual([confirmed.status, problemOf(confirmed)], [403, 'attempts-exhausted']);

    const detail = read<{ verification: { status: string; key: { id: string } }; guesses_used: number }>(
      await owner.get(`${path}/verifications/${id}`),
    );
    assert.deepEqual(
      [detail.verification.status, detail.verification.key.id, detail.guesses_used],
      ['pending', 'none', 0],
    );
    const span = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
    const { total } = read<{ total: Record<string, number> }>(await owner.get(`${path}/overview?${span}`));
    const { cost, ...counted } = total;
    assert.equal(cost, 0.07);
    for (const [name, count] of Object.entries(counted)) assert.ok(!count, `${name} is ${count}`);

    // Webhooks are told of it as of any message; what it is stands in its metadata.
    const messages = await eventually(async () => {
      const page = read<{ messages: { id: string; type: string }[] }>(
        await owner.get(`${path}/webhooks/${hook}/messages`),
      );
      return page.messages.length >= 2 ? page.messages : undefined;
    });
    assert.deepEqual(messages?.map(({ type }) => type).sort(), [
      'delivery.accepted',
      'verification.requested',
    ]);
    const { body } = read<{ body: string }>(
      await owner.get(`${path}/webhooks/${hook}/messages/${messages?.[0]?.id}`),
    );
    assert.match(body, /"carrier_test":"other"/);

    const audit = read<{ entries: { action: string; subject: string; detail: string }[] }>(
      await owner.get(`${path}/audit`),
    );
    const entry = audit.entries.find(({ action }) => action === 'carrier.tested');
    assert.equal(entry?.subject, 'other');
    assert.match(entry?.detail ?? '', new RegExp(`^sms to \\+49•+${number.slice(-2)}, ${id}$`));
    for (const shown of [
      sent.text,
      JSON.stringify(await list()),
      JSON.stringify(entry),
      await logOf(rig.service),
    ]) {
      assert.ok(!shown.includes(number.slice(1)), 'the full number is nowhere');
      assert.doesNotMatch(shown, new RegExp(`(?<!\\d)${code}(?!\\d)`), 'nor the code');
    }

    // Whoever wants their number erased is not told that it was only a test.
    const { erased } = read<{ erased: number }>(
      await owner.post(`${path}/numbers/erase`, { destination: number }),
    );
    assert.deepEqual([erased, await list()], [1, []]);
  });

  test('thirty at once with one Idempotency-Key send one, and another body is refused', async () => {
    const { send, list, answered } = await openAccount('Double');
    const before = other.received.length;
    const number = freshNumber();
    const all = await Promise.all(Array.from({ length: 30 }, () => send('other', number, 'one-key')));
    const sent = all.filter(({ status }) => status === 200);
    assert.ok(sent.length > 0);
    for (const each of all) assert.ok(each.status === 200 || problemOf(each) === 'idempotency-in-progress');
    assert.equal(new Set(sent.map((each) => read<CarrierTestView>(each).id)).size, 1);
    const [first] = sent;
    assert.ok(first);
    const { id } = await answered(first);
    assert.equal(read<CarrierTestView>(await send('other', number, 'one-key')).id, id);
    assert.equal(problemOf(await send('other', freshNumber(), 'one-key')), 'idempotency-key-reused');
    assert.equal(problemOf(await send('routed', number, 'one-key')), 'idempotency-key-reused');
    assert.deepEqual(faultyFields(await send('other', number, 'ä')), ['Idempotency-Key']);
    assert.deepEqual([other.received.length - before, (await list()).length], [1, 1]);
  });

  test('what is refused by now is answered as it was under its Idempotency-Key', async () => {
    const { path, send, answered } = await openAccount('Changed');
    const number = freshNumber();
    const { id } = await answered(await send('other', number, 'one-key'));
    const before = other.received.length;
    const prefix = number.slice(0, 9);
    assert.equal((await owner.post(`${path}/do-not-send/ranges`, { prefix })).status, 204);
    assert.equal(read<CarrierTestView>(await send('other', number, 'one-key')).id, id);
    for (const [carrier, to, channel] of [
      ['other', `${number.slice(0, -1)}${number.endsWith('1') ? 2 : 1}`, 'sms'],
      ['gone', number, 'sms'],
      ['other', number, 'telegram'],
    ] as const) {
      assert.equal(problemOf(await send(carrier, to, 'one-key', channel)), 'idempotency-key-reused');
    }
    assert.deepEqual(faultyFields(await send('other', number, 'another-key')), ['number']);
    assert.equal(other.received.length, before);
  });

  test('a carrier that refuses is asked once; the answer says whose turn it is', async () => {
    const { send, answered } = await openAccount('Refused');
    const before = [other.received.length, routed.received.length];
    try {
      for (const [status, state, cause, reason] of [
        [401, 'refused', 'settings', 'HTTP 401'],
        [400, 'refused', 'message', 'HTTP 400'],
      ] as const) {
        other.behave(answerWith(status));
        const { state: became, answer } = await answered(await send('other', freshNumber()));
        assert.deepEqual([became, answer?.cause, answer?.reason], [state, cause, reason]);
      }
      // A gateway that breaks off after it has the message may have sent it.
      other.behave((_message, _response, request) => request.socket.destroy());
      const unclear = await answered(await send('other', freshNumber()));
      assert.deepEqual([unclear.state, unclear.answer?.cause], ['unclear', null]);
    } finally {
      other.behave(accept);
    }
    await sleep(RETRY_MS);
    const [tried = 0, elsewhere] = before;
    assert.deepEqual([other.received.length, routed.received.length], [tried + 3, elsewhere]);
  });

  test('what /verify refuses is refused, and takes no place', async () => {
    const { send, list, verify, path } = await openAccount('Wrong');
    const before = other.received.length;
    for (const number of ['112', '+49110', '+493012345678', '+12025550123', 'number']) {
      const answer = await send('other', number);
      assert.deepEqual([answer.status, faultyFields(answer)], [400, ['number']], number);
      assert.equal((await verify(number)).status, 400);
    }
    for (const carrier of ['nobody', 'constructor', '__proto__', '..%2Fother']) {
      assert.equal(problemOf(await send(carrier, freshNumber())), 'not-found', carrier);
    }
    assert.deepEqual(faultyFields(await send('routed', freshNumber(), undefined, 'voice')), ['channel']);
    // It could send it, but no route does.
    assert.deepEqual(faultyFields(await send('other', freshNumber(), undefined, 'telegram')), ['channel']);
    // Neither an address nor anything else of the carrier can be given.
    const more = { number: '112', channel: 'sms', url: SAMPLES.url, carrier: 'other' };
    assert.deepEqual(faultyFields(await owner.post(`${path}/carriers/other/test`, more)), ['carrier', 'url']);
    // Who configured the routes decided which carrier may call hosts.
    assert.deepEqual(faultyFields(await send('other', SIP, undefined, 'voice')), ['number']);
    assert.deepEqual([(await list()).length, other.received.length], [0, before]);
  });

  test('limits, the do-not-send list, rules of the guard and budgets hold as for /verify', async () => {
    const { send, verify, path, list, answered } = await openAccount('Held');
    const before = other.received.length;
    const number = freshNumber();
    assert.equal((await verify(number)).status, 200);
    await answered(await send('other', number));
    assert.equal(problemOf(await verify(number)), 'quota-exceeded', 'the test took a place');
    assert.equal(problemOf(await send('other', number)), 'quota-exceeded');

    const stopped = freshNumber();
    assert.equal((await owner.post(`${path}/do-not-send/numbers`, { number: stopped })).status, 204);
    const blocked = await send('other', stopped, 'again');
    assert.deepEqual([blocked.status, blocked.json.errors?.[0]?.code], [400, 'do_not_send']);

    const rule = { action: 'deny', subject: 'range', value: '+4915199', ends_at: null, reason: 'pumped' };
    assert.equal((await owner.post(`${path}/guard/rules`, rule)).status, 204);
    const denied = '+4915199345678';
    const isRuled = await eventually(async () => {
      // Explanations are counted.
      await sleep(400);
      const asked = await owner.post(`${path}/explain`, { number: denied, channel: 'sms' });
      const { checks } = read<Explained>(asked);
      return checks.some(({ name, verdict }) => name === 'guard' && verdict === 'refuses') || undefined;
    });
    assert.ok(isRuled);
    assert.equal(problemOf(await send('other', denied)), 'guarded');

    // Two of six messages are sent.
    for (let i = 0; i < 4; i++) assert.equal((await verify(freshNumber())).status, 200);
    const exhausted = await send('other', freshNumber(), 'again');
    assert.equal(problemOf(exhausted), 'budget-exhausted', 'a refused request frees its key');
    assert.ok(Number(exhausted.headers['retry-after']) > 0);
    assert.deepEqual([(await list()).length, other.received.length - before], [1, 1]);
  });

  test('an account may send five in an hour, and says when it may again', async () => {
    const { send, list, answered } = await openAccount('Many');
    const sent = await Promise.all(Array.from({ length: 12 }, () => send('simulator', freshNumber())));
    const [done, refused] = [
      sent.filter(({ status }) => status === 200),
      sent.filter(({ status }) => status !== 200),
    ];
    assert.equal(done.length, 5);
    for (const each of refused) {
      assert.equal(problemOf(each), 'asked-too-often');
      assert.ok(Number(each.headers['retry-after']) > 3_000);
    }
    const [first] = done;
    assert.ok(first);
    assert.equal((await answered(first)).state, 'delivered');
    assert.equal((await list()).length, 5);
  });

  test('one that nobody answers waits, and what became of it is unknown once no answer comes any more', async () => {
    const { send, list } = await openAccount('Silent');
    other.behave(hang);
    const { id } = read<CarrierTestView>(await send('other', freshNumber()));
    const stateOf = async () => (await list()).find((each) => each.id === id)?.state;
    assert.equal(await stateOf(), 'waiting');
    await withStoreOf({ COUNTERSIGN_DATA_DIR: rig.service.dataDir }, (store) =>
      query(store, 'UPDATE carrier_test SET asked_at = asked_at - 60000 WHERE id = $1', id),
    );
    assert.equal(await stateOf(), 'unknown');
    other.behave(accept);
  });

  test('a SIP address goes over a carrier of its route, as for /verify', async () => {
    const { send, answered, key } = await openAccount('Sip');
    assert.equal((await rig.service.client.verify(SIP, 'voice', { key })).status, 200);
    const { number, state } = await answered(await send('simulator', SIP, undefined, 'voice'));
    assert.deepEqual([number, state], ['sip:•••@intranet.example.com', 'delivered']);
  });
});
