import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { NO_SETTINGS } from '../accounts/account-settings.ts';
import { StoreUnavailable } from '../errors/store-failure.ts';
import { Keyring } from '../secrets/keyring.ts';
import { openField } from '../secrets/sealed-field.ts';
import type { OutgoingMessage } from '../sending/carrier.ts';
import { createVerifier, createVerifierRig, LIMIT, LIVE, NUMBER, TEST, type VerifierRig } from './fixture.ts';
import { MAGIC_DESTINATIONS } from './magic.ts';
import { createReopen } from './reopen.ts';
import type { Caller, RequestAnswer } from './request.ts';
import type { IssueOutcome, NewVerification } from './verification.ts';
import type { VerifierDeps } from './verifier.ts';

let rig: VerifierRig;
function renew(): void {
  rig = createVerifierRig();
}

const reasonOf = (answer: RequestAnswer) =>
  answer.kind === 'invalid' ? `${answer.field} ${answer.code}` : answer.kind;

suite('request', () => {
  beforeEach(renew);

  test('a verification is written before it is handed over', async () => {
    let write: (outcome: IssueOutcome) => void = () => {};
    rig.answerIssue = () => new Promise((resolve) => (write = resolve));
    const answer = rig.ask();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(rig.handedOver, []);
    write({ kind: 'issued' });
    const { id = '' } = { ...(await answer) } as { id?: string };
    assert.deepEqual(await answer, { kind: 'issued', id, destination: NUMBER, channel: 'sms' });
    assert.match(id, /^ver_[0-9a-f]{32}$/);
    assert.deepEqual(rig.told, ['requested sms DE']);
  });

  test('a code that another system checks is not found by its number', async () => {
    const caller: Caller = { ...LIVE, customCodes: true, settings: { ...NO_SETTINGS, camara: true } };
    const brought = { destination: NUMBER, channel: 'sms', options: { customCode: '482913' } } as const;
    for (const checkedElsewhere of [undefined, true] as const)
      await rig.verifier.request(caller, { ...brought, idempotencyKey: undefined, checkedElsewhere });
    assert.deepEqual(
      rig.issued.map(({ byNumber }) => byNumber),
      [true, undefined],
    );
  });

  test('what is handed over is what was written', async () => {
    await rig.ask('+49 151 1234-5678');
    const [v] = rig.issued;
    const [{ message, createdAt } = { message: undefined, createdAt: 0 }] = rig.handedOver;
    assert.ok(v && message);
    assert.equal(message.id, v.id);
    assert.equal(createdAt, v.createdAt);
    assert.equal(message.destination.address, NUMBER);
    assert.match(message.code, /^\d{6}$/);
    assert.ok(message.text.includes(message.code));
    assert.equal(v.expiresAt, v.createdAt + 600_000);
    assert.equal(v.leaseUntil, v.createdAt + 15_000);
    assert.equal(message.expiresAt, v.expiresAt);
    assert.equal(openField(rig.keyring, v.codeSealed, v.id, 'code'), message.code);
    assert.equal(openField(rig.keyring, v.destinationSealed, v.id, 'destination'), NUMBER);
    assert.equal(v.codeMac, rig.keyring.codeMac(v.id, message.code).current);
    const hash = rig.keyring.destinationHash('acc_1', false, NUMBER);
    assert.deepEqual([v.destinationHash, v.earlierDestinationHashes], [hash.current, hash.earlier]);
    assert.equal(hash.earlier.length, 1, 'under the previous secret');
    assert.deepEqual([v.guesses, v.test, v.country, v.idempotency], [5, false, 'DE', null]);
  });

  /** What a verifier with these settings writes and hands over for one request. */
  async function askOnce({ keyring = rig.keyring, ...deps }: Partial<VerifierDeps>) {
    const issued: NewVerification[] = [];
    const texts: string[] = [];
    const issue = async (v: NewVerification) => {
      issued.push(v);
      return { kind: 'issued' } as const;
    };
    const store = { issue, admit: issue, findReplay: async () => undefined, confirm: rig.answerConfirm };
    const handOver = ({ text }: OutgoingMessage) => void texts.push(text);
    const verifier = createVerifier({ keyring, store, handOver, ...deps });
    const reopen = createReopen(keyring, deps.messages ?? { brand: 'Acme' }, 600_000);
    await verifier.request(LIVE, { destination: NUMBER, channel: 'sms', idempotencyKey: undefined });
    const [v] = issued;
    assert.ok(v);
    return { v, text: texts[0], later: reopen({ ...v, settings: null }).text };
  }

  test('while no secret is rotated, it counts under one hash', async () => {
    const { v } = await askOnce({ keyring: new Keyring('the only secret, long enough for all') });
    assert.deepEqual(v.earlierDestinationHashes, []);
  });

  test('a message that is sent later names the same minutes', async () => {
    const templates = { de: { sms: '{{code}} {{minutes}}' } };
    const { text, later } = await askOnce({ messages: { brand: 'Acme', templates } });
    assert.match(later, / 10$/);
    assert.equal(later, text);
  });

  test('the lease of a message counts from before the store was asked', async () => {
    rig.answerIssue = async () => {
      rig.clock.pass(20_000);
      return { kind: 'issued' };
    };
    const asked = rig.clock.steady();
    await rig.ask();
    assert.equal(rig.handedOver[0]?.leasedSince, asked);
  });

  test('a node that stands still between two clocks does not think its lease longer than it is', async (t) => {
    const ahead = rig.clock.now() - rig.clock.steady();
    const { now } = rig.clock;
    t.mock.method(rig.clock, 'now', () => {
      const at = now();
      rig.clock.pass(20_000);
      return at;
    });
    await rig.ask();
    const [written, held] = [rig.issued[0]?.leaseUntil, rig.handedOver[0]?.leasedSince];
    assert.ok(written && held && held + 15_000 <= written - ahead);
  });

  test('nothing in clear is written', async () => {
    await rig.ask(NUMBER, LIVE, 'order of +4915112345678');
    const written = JSON.stringify(rig.issued);
    assert.ok(!written.includes(rig.handedOver[0]?.message.code ?? ''));
    assert.ok(!written.includes('15112345678'));
  });

  test('a kept message opens as it was handed over', async () => {
    await rig.ask();
    const [v] = rig.issued;
    assert.ok(v);
    assert.deepEqual(rig.reopen({ ...v, settings: null }), rig.handedOver[0]?.message);
  });

  test('what its key may not do is refused by field, and the store not asked', async () => {
    const bound = (channels: readonly ('sms' | 'voice')[], countries: readonly string[]) => ({
      ...LIVE,
      restrictions: { channels, countries },
    });
    assert.equal(reasonOf(await rig.ask(NUMBER, bound(['voice'], []))), 'channel channel_not_allowed');
    const abroad = 'destination country_not_allowed';
    assert.equal(reasonOf(await rig.ask(NUMBER, bound(['sms'], ['FR']))), abroad);
    assert.equal(reasonOf(await rig.ask(NUMBER, { ...bound([], ['FR']), test: true })), abroad);
    assert.deepEqual(rig.issued, []);
    assert.equal(reasonOf(await rig.ask(NUMBER, bound(['sms'], ['FR', 'DE']))), 'issued');
  });

  test('an account’s settings word the message, draw the code and bring their limits', async () => {
    const own = { max: 1, windowMs: 1_000 };
    const settings = {
      ...NO_SETTINGS,
      brand: 'Other',
      locale: 'fr',
      codeLength: 9,
      sendsPerDestination: [own],
      countries: ['DE'],
    };
    await rig.ask(NUMBER, { ...LIVE, settings });
    const [v] = rig.issued;
    const message = rig.handedOver[0]?.message;
    assert.ok(v && message);
    assert.match(message.code, /^\d{9}$/);
    assert.ok(message.text.includes('Other') && message.locale === 'fr');
    assert.deepEqual(v.limits, [LIMIT, own]);
    assert.deepEqual(rig.reopen({ ...v, settings }), message, 'also when it is taken up again');
    await rig.verifier.confirm({ ...LIVE, settings }, v.id, '1');
    assert.equal(rig.guesses[0]?.limits, undefined, 'it sets none for guesses');
    const failed = { ...settings, failedGuessesPerDestination: [own] };
    await rig.verifier.confirm({ ...LIVE, settings: failed }, v.id, '1');
    assert.deepEqual(rig.guesses[1]?.limits, [LIMIT, own]);
  });

  test('an account’s countries hold for its live keys', async () => {
    const settings = { ...NO_SETTINGS, countries: ['FR'] };
    assert.equal(reasonOf(await rig.ask(NUMBER, { ...LIVE, settings })), 'destination country_not_allowed');
    assert.equal((await rig.ask(NUMBER, { ...TEST, settings })).kind, 'issued');
  });

  test('what the service does not send to is refused for live keys, and the store not asked', async () => {
    rig = createVerifierRig({ countries: ['FR', 'GB'] });
    const settings = { ...NO_SETTINGS, countries: ['DE', 'GB'] };
    const mobile = { FR: '+33612345678', GB: '+447400123456' };
    rig.findRoute = () => assert.fail('no route is needed');
    assert.equal(reasonOf(await rig.ask(NUMBER)), 'destination country_not_allowed');
    assert.equal(reasonOf(await rig.ask(NUMBER, { ...LIVE, settings })), 'destination country_not_allowed');
    assert.equal(
      reasonOf(await rig.ask(mobile.FR, { ...LIVE, settings })),
      'destination country_not_allowed',
    );
    assert.equal(reasonOf(await rig.ask('+88216123456789')), 'destination satellite');
    assert.deepEqual([rig.issued, rig.told], [[], []]);
    rig.findRoute = createVerifierRig().findRoute;
    assert.equal((await rig.ask(mobile.GB, { ...LIVE, settings })).kind, 'issued', 'both allow it');
    assert.equal((await rig.ask(mobile.FR)).kind, 'issued');
    assert.equal((await rig.ask(NUMBER, TEST)).kind, 'issued', 'a test key sends nothing');
    assert.equal((await rig.ask('+88216123456789', TEST)).kind, 'issued');
  });

  test('a destination that cannot be is refused, and the store not asked', async () => {
    assert.equal(reasonOf(await rig.ask('12')), 'destination not_e164');
    assert.equal(reasonOf(await rig.ask('+49301234567')), 'destination landline');
    assert.deepEqual(rig.issued, []);
  });

  test('what no route serves is refused with the field that the route names', async () => {
    for (const field of ['destination', 'channel'] as const) {
      const refusal = { field, code: 'no_route', detail: 'No.' } as const;
      rig.findRoute = () => ({ ok: false, ...refusal });
      assert.deepEqual(await rig.ask(), { kind: 'invalid', ...refusal });
    }
    assert.deepEqual(rig.issued, []);
  });

  const refusals: readonly IssueOutcome[] = [
    { kind: 'limited', scope: 'key', limit: LIMIT, retryAfterMs: 7 },
    { kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 7 },
    { kind: 'idempotency-mismatch' },
  ];
  for (const refusal of refusals) {
    test(`${refusal.kind}${'scope' in refusal ? ` by ${refusal.scope}` : ''} hands nothing over`, async () => {
      rig.answerIssue = async () => refusal;
      assert.deepEqual(await rig.ask(NUMBER, LIVE, 'k'), refusal);
      assert.deepEqual([rig.handedOver, rig.told], [[], []]);
    });
  }

  test('an unavailable store is passed on, and hands nothing over', async () => {
    rig.answerIssue = () => Promise.reject(new StoreUnavailable('full'));
    await assert.rejects(rig.ask(), StoreUnavailable);
    assert.deepEqual(rig.handedOver, []);
  });
});

suite('test keys', () => {
  beforeEach(renew);

  const magic = (outcome: string) => [...MAGIC_DESTINATIONS].find(([, each]) => each === outcome)?.[0] ?? '';

  test('need no route', async () => {
    rig.findRoute = () => assert.fail('a test key has the simulator');
    assert.equal((await rig.ask(NUMBER, TEST)).kind, 'issued');
    assert.equal(rig.handedOver[0]?.message.test, true);
    assert.equal(rig.issued[0]?.test, true);
  });

  test('may not ask for a channel that no route serves, either', async () => {
    for (const caller of [TEST, LIVE]) {
      const request = { destination: NUMBER, channel: 'whatsapp', idempotencyKey: undefined } as const;
      assert.deepEqual(await rig.verifier.request(caller, request), {
        ...{ kind: 'invalid', field: 'channel', code: 'not_allowed_value' },
        detail: 'must be one of sms,voice',
      });
    }
    assert.deepEqual(rig.issued, []);
  });

  test('play what a magic destination stands for', async () => {
    assert.equal(reasonOf(await rig.ask(magic('unroutable'), TEST)), 'destination no_route');
    assert.deepEqual(await rig.ask(magic('rate-limited'), TEST), {
      kind: 'limited',
      scope: 'destination',
      limit: LIMIT,
      retryAfterMs: LIMIT.windowMs,
    });
    assert.deepEqual(rig.issued, []);
    for (const outcome of ['delivered', 'undelivered', 'refused', 'slow']) {
      assert.equal((await rig.ask(magic(outcome), TEST)).kind, 'issued');
    }
  });

  test('a live key finds no magic in them', async () => {
    rig.findRoute = () => ({ ok: false, field: 'destination', code: 'no_route', detail: 'No such route.' });
    assert.notEqual((await rig.ask(magic('rate-limited'))).kind, 'limited');
  });
});

suite('the do-not-send list', () => {
  beforeEach(renew);

  test('a number that the store refuses is named, and nothing is sent', async () => {
    rig.answerIssue = async () => ({ kind: 'blocked' });
    const answer = await rig.ask();
    assert.ok(answer.kind === 'invalid');
    assert.equal(answer.field, 'destination');
    assert.match(answer.detail, /do-not-send list/);
    assert.deepEqual([rig.handedOver, rig.told], [[], []]);
  });

  test('a number in a range is refused before anything is asked or counted', async () => {
    const caller = { ...LIVE, blockedRanges: ['+88213', '+4915'] };
    rig.findRoute = () => assert.fail('no route is needed');
    const answer = await rig.ask(NUMBER, caller);
    assert.equal(answer.kind === 'invalid' && answer.field, 'destination');
    assert.deepEqual(rig.issued, []);
  });

  test('any other number is not, and no number of a test key', async () => {
    const caller = { ...LIVE, blockedRanges: ['+88213'] };
    assert.equal((await rig.ask(NUMBER, caller)).kind, 'issued');
    assert.equal((await rig.ask(NUMBER, { ...TEST, blockedRanges: ['+49'] })).kind, 'issued');
  });
});

suite('a call', () => {
  beforeEach(renew);

  const call = (destination: string, caller: Caller = LIVE) =>
    rig.verifier.request(caller, { destination, channel: 'voice', idempotencyKey: undefined });

  test('that no carrier of its route would speak is refused, and nothing is written', async () => {
    rig.canSpeak = (_, locale) => locale !== 'ka';
    const answer = await call('+995322123456');
    assert.ok(answer.kind === 'invalid');
    assert.equal(reasonOf(answer), 'destination no_voice');
    assert.match(answer.detail, /no voice/);
    assert.deepEqual([rig.issued, rig.handedOver], [[], []]);
    assert.equal((await call('+493012345678')).kind, 'issued');
  });

  test('is judged by the language that the account chose', async () => {
    rig.canSpeak = (_, locale) => locale !== 'ka';
    const settings = { ...NO_SETTINGS, locale: 'ka' };
    const caller = { ...LIVE, settings };
    assert.equal((await call('+493012345678', caller)).kind, 'invalid');
    assert.equal(
      (await call('+995322123456', { ...caller, settings: { ...settings, locale: 'de' } })).kind,
      'issued',
    );
  });

  test('comes with its words in English, when kept too', async () => {
    await call('+493012345678');
    const [{ message } = { message: undefined }] = rig.handedOver;
    assert.match(message?.english ?? '', /code/);
    const [v] = rig.issued;
    assert.ok(v);
    assert.deepEqual(rig.reopen({ ...v, settings: null }), message);
  });
});
