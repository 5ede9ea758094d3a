import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { NO_SETTINGS } from './account-settings.ts';
import type { OutgoingMessage } from './carrier.ts';
import { DailyCap } from './daily-cap.ts';
import { StoreUnavailable } from './errors.ts';
import type { Funnel } from './funnel.ts';
import { Keyring } from './keyring.ts';
import { MAGIC_DESTINATIONS } from './magic.ts';
import type { RouteFinder } from './routing.ts';
import type { ConfirmOutcome, Guess, IssueOutcome, NewVerification, Replay } from './verification.ts';
import { type Caller, type RequestAnswer, Verifier } from './verifier.ts';

const NUMBER = '+4915112345678';
const LIVE = { keyId: 'key_1', accountId: 'acc_1', test: false };
const TEST = { ...LIVE, test: true };
const LIMIT = { max: 5, windowMs: 600_000 };
const FOUND = { ok: true, route: { channel: 'sms', carriers: ['smsc'] } } as const;

suite('verifier', () => {
  const keyring = new Keyring('a secret for these tests alone, yes');
  let issued: NewVerification[];
  let guesses: Guess[];
  let handedOver: { message: OutgoingMessage; createdAt: number }[];
  let told: string[];
  let answerIssue: () => Promise<IssueOutcome>;
  let answerConfirm: () => Promise<ConfirmOutcome>;
  let foundReplay: Replay | undefined;
  let findRoute: RouteFinder;
  let cap: DailyCap | undefined;
  let verifier: Verifier;

  beforeEach(() => {
    issued = [];
    guesses = [];
    handedOver = [];
    told = [];
    answerIssue = async () => ({ kind: 'issued' });
    answerConfirm = async () => ({ kind: 'unknown' });
    foundReplay = undefined;
    findRoute = () => FOUND;
    cap = undefined;
    const note =
      (name: string) =>
      (...facts: unknown[]) =>
        void told.push(`${name} ${facts.slice(0, 3).join(' ')}`);
    const funnel: Funnel = {
      requested: note('requested'),
      attempted: note('attempted'),
      submitted: note('submitted'),
      delivered: note('delivered'),
      undelivered: note('undelivered'),
      confirmed: note('confirmed'),
      failed: note('failed'),
      breaker: note('breaker'),
      erred: note('erred'),
      queueDepth: note('depth'),
    };
    verifier = new Verifier({
      store: {
        issue: (verification) => {
          issued.push(verification);
          return answerIssue();
        },
        findReplay: async () => foundReplay,
        confirm: (guess) => {
          guesses.push(guess);
          return answerConfirm();
        },
      },
      keyring,
      findRoute: (...asked) => findRoute(...asked),
      capOf: () => cap,
      handOver: (message, createdAt) => handedOver.push({ message, createdAt }),
      funnel,
      code: { length: 6, alphabet: 'digits', validFor: 600_000, guesses: 5 },
      messages: { brand: 'Acme' },
      shownLimit: LIMIT,
      lease: 15_000,
    });
  });

  const ask = (destination = NUMBER, caller: Caller = LIVE, idempotencyKey?: string) =>
    verifier.request(caller, { destination, channel: 'sms', idempotencyKey });

  suite('request', () => {
    test('a verification is written before it is handed over', async () => {
      let write: (outcome: IssueOutcome) => void = () => {};
      answerIssue = () => new Promise((resolve) => (write = resolve));
      const answer = ask();
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(handedOver, []);
      write({ kind: 'issued' });
      const { id = '' } = { ...(await answer) } as { id?: string };
      assert.deepEqual(await answer, { kind: 'issued', id, destination: NUMBER, channel: 'sms' });
      assert.match(id, /^ver_[0-9a-f]{32}$/);
      assert.deepEqual(told, ['requested sms DE']);
    });

    test('what is handed over is what was written', async () => {
      await ask('+49 151 1234-5678');
      const [v] = issued;
      const [{ message, createdAt } = { message: undefined, createdAt: 0 }] = handedOver;
      assert.ok(v && message);
      assert.equal(message.id, v.id);
      assert.equal(createdAt, v.createdAt);
      assert.equal(message.destination.address, NUMBER);
      assert.match(message.code, /^\d{6}$/);
      assert.ok(message.text.includes(message.code));
      assert.equal(v.expiresAt, v.createdAt + 600_000);
      assert.equal(v.leaseUntil, v.createdAt + 15_000);
      assert.equal(message.expiresAt, v.expiresAt);
      assert.equal(keyring.open(v.codeSealed, v.id), message.code);
      assert.equal(keyring.open(v.destinationSealed, v.id), NUMBER);
      assert.equal(v.codeMac, keyring.codeMac(v.id, message.code).current);
      assert.equal(v.destinationHash, keyring.destinationHash('acc_1', false, NUMBER).current);
      assert.deepEqual([v.guesses, v.test, v.country, v.idempotency], [5, false, 'DE', null]);
    });

    test('nothing in clear is written', async () => {
      await ask(NUMBER, LIVE, 'order of +4915112345678');
      const written = JSON.stringify(issued);
      assert.ok(!written.includes(handedOver[0]?.message.code ?? ''));
      assert.ok(!written.includes('15112345678'));
    });

    test('a kept message opens as it was handed over', async () => {
      await ask();
      const [v] = issued;
      assert.ok(v);
      assert.deepEqual(verifier.reopen({ ...v, settings: null }), handedOver[0]?.message);
    });

    test('what its key may not do is refused by field, and the store not asked', async () => {
      const bound = (channels: readonly ('sms' | 'voice')[], countries: readonly string[]) => ({
        ...LIVE,
        restrictions: { channels, countries },
      });
      const fieldOf = (answer: RequestAnswer) => (answer.kind === 'invalid' ? answer.field : answer.kind);
      assert.equal(fieldOf(await ask(NUMBER, bound(['voice'], []))), 'channel');
      assert.equal(fieldOf(await ask(NUMBER, bound(['sms'], ['FR']))), 'destination');
      assert.equal(fieldOf(await ask(NUMBER, { ...bound([], ['FR']), test: true })), 'destination');
      assert.deepEqual(issued, []);
      assert.equal(fieldOf(await ask(NUMBER, bound(['sms'], ['FR', 'DE']))), 'issued');
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
      await ask(NUMBER, { ...LIVE, settings });
      const [v] = issued;
      const message = handedOver[0]?.message;
      assert.ok(v && message);
      assert.match(message.code, /^\d{9}$/);
      assert.ok(message.text.includes('Other') && message.locale === 'fr');
      assert.deepEqual(v.limits, [own]);
      assert.deepEqual(verifier.reopen({ ...v, settings }), message, 'also when it is taken up again');
      await verifier.confirm({ ...LIVE, settings }, v.id, '1');
      assert.equal(guesses[0]?.limits, undefined, 'it sets none for guesses');
      const failed = { ...settings, failedGuessesPerDestination: [own] };
      await verifier.confirm({ ...LIVE, settings: failed }, v.id, '1');
      assert.deepEqual(guesses[1]?.limits, [own]);
    });

    test('an account’s countries hold for its live keys', async () => {
      const settings = { ...NO_SETTINGS, countries: ['FR'] };
      const refused = await ask(NUMBER, { ...LIVE, settings });
      assert.equal(refused.kind === 'invalid' && refused.field, 'destination');
      assert.equal((await ask(NUMBER, { ...TEST, settings })).kind, 'issued');
    });

    test('a destination that cannot be is refused, and the store not asked', async () => {
      const answer = await ask('12');
      assert.equal(answer.kind === 'invalid' && answer.field, 'destination');
      assert.deepEqual(issued, []);
    });

    test('what no route serves is refused with the field that the route names', async () => {
      for (const field of ['destination', 'channel'] as const) {
        findRoute = () => ({ ok: false, field, detail: 'No.' });
        assert.deepEqual(await ask(), { kind: 'invalid', field, detail: 'No.' });
      }
      assert.deepEqual(issued, []);
    });

    const refusals: readonly IssueOutcome[] = [
      { kind: 'limited', scope: 'key', limit: LIMIT, retryAfterMs: 7 },
      { kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 7 },
      { kind: 'idempotency-mismatch' },
    ];
    for (const refusal of refusals) {
      test(`${refusal.kind}${'scope' in refusal ? ` by ${refusal.scope}` : ''} hands nothing over`, async () => {
        answerIssue = async () => refusal;
        assert.deepEqual(await ask(NUMBER, LIVE, 'k'), refusal);
        assert.deepEqual([handedOver, told], [[], []]);
      });
    }

    test('an unavailable store is passed on, and hands nothing over', async () => {
      answerIssue = () => Promise.reject(new StoreUnavailable('full'));
      await assert.rejects(ask(), StoreUnavailable);
      assert.deepEqual(handedOver, []);
    });
  });

  suite('daily cap of the route', () => {
    let used: number;
    beforeEach(() => {
      used = 0;
      const quota = {
        takeQuota: async (_name: string, _day: number, max: number, count: number) => {
          const got = Math.min(count, max - used);
          used += got;
          return got;
        },
        returnQuota: async (_name: string, _day: number, count: number) => {
          used -= count;
        },
      };
      cap = new DailyCap(quota, 'route', 2);
    });

    test('used up means asking again after midnight UTC', async () => {
      assert.equal((await ask()).kind, 'issued');
      assert.equal((await ask()).kind, 'issued');
      const answer = await ask();
      assert.ok(answer.kind === 'limited' && answer.scope === 'route');
      assert.deepEqual(answer.limit, { max: 2, windowMs: 86_400_000 });
      const again = new Date(Date.now() + answer.retryAfterMs);
      assert.ok(answer.retryAfterMs > 0 && again.getTime() % 86_400_000 < 60_000);
      assert.equal(issued.length, 2);
    });

    test('counts what is issued alone: no refusal, no replay, nothing that the store could not write', async () => {
      const destinationSealed = keyring.seal(NUMBER, 'ver_first');
      const nothing: (() => Promise<IssueOutcome>)[] = [
        async () => ({ kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 7 }),
        async () => ({ kind: 'replayed', id: 'ver_first', destinationSealed, channel: 'sms' }),
        () => Promise.reject(new StoreUnavailable('full')),
      ];
      for (const answer of [...nothing, ...nothing]) {
        answerIssue = answer;
        await ask(NUMBER, LIVE, 'k').catch(() => {});
      }
      answerIssue = async () => ({ kind: 'issued' });
      assert.equal((await ask()).kind, 'issued');
      assert.equal((await ask()).kind, 'issued');
      assert.equal((await ask()).kind, 'limited');
    });

    test('used up, a replay is answered all the same', async () => {
      const destinationSealed = keyring.seal(NUMBER, 'ver_first');
      cap = new DailyCap({ takeQuota: async () => 0, returnQuota: async () => {} }, 'route', 2);
      assert.equal((await ask(NUMBER, LIVE, 'k')).kind, 'limited');
      foundReplay = { kind: 'replayed', id: 'ver_first', destinationSealed, channel: 'sms' };
      const answer = await ask(NUMBER, LIVE, 'k');
      assert.deepEqual(answer, { kind: 'issued', id: 'ver_first', destination: NUMBER, channel: 'sms' });
      assert.deepEqual([issued, handedOver], [[], []]);
    });

    test('that cannot be known refuses, and writes nothing', async () => {
      const away = () => Promise.reject(new StoreUnavailable('away'));
      cap = new DailyCap({ takeQuota: away, returnQuota: away }, 'route', 2);
      await assert.rejects(ask(), StoreUnavailable);
      assert.deepEqual([issued, handedOver], [[], []]);
    });

    test('is nothing to a test key', async () => {
      for (let i = 0; i < 5; i++) assert.equal((await ask(NUMBER, TEST)).kind, 'issued');
      assert.equal(used, 0);
    });
  });

  suite('idempotency', () => {
    test('a replay is answered with the first, and hands nothing over', async () => {
      const destinationSealed = keyring.seal(NUMBER, 'ver_first');
      answerIssue = async () => ({ kind: 'replayed', id: 'ver_first', destinationSealed, channel: 'sms' });
      assert.deepEqual(await ask(NUMBER, LIVE, 'k'), {
        kind: 'issued',
        id: 'ver_first',
        destination: NUMBER,
        channel: 'sms',
      });
      assert.deepEqual([handedOver, told], [[], []]);
    });

    test('the second of two at once is told that the first is in progress', async () => {
      let write: (outcome: IssueOutcome) => void = () => {};
      answerIssue = () => new Promise((resolve) => (write = resolve));
      const first = ask(NUMBER, LIVE, 'k');
      assert.deepEqual(await ask(NUMBER, LIVE, 'k'), { kind: 'idempotency-in-progress' });
      write({ kind: 'issued' });
      assert.equal((await first).kind, 'issued');
      answerIssue = async () => ({ kind: 'issued' });
      assert.equal((await ask(NUMBER, LIVE, 'k')).kind, 'issued');
      assert.equal(issued.length, 2);
    });

    test('other keys and other accounts are not in progress', async () => {
      const first = ask(NUMBER, LIVE, 'k');
      const others = [
        ask(NUMBER, LIVE, 'other'),
        ask(NUMBER, { ...LIVE, accountId: 'acc_2' }, 'k'),
        ask(),
        ask(),
      ];
      for (const answer of await Promise.all([first, ...others])) assert.equal(answer.kind, 'issued');
    });

    test('a key is free again when its request failed', async () => {
      answerIssue = () => Promise.reject(new StoreUnavailable('full'));
      await assert.rejects(ask(NUMBER, LIVE, 'k'));
      answerIssue = async () => ({ kind: 'issued' });
      assert.equal((await ask(NUMBER, LIVE, 'k')).kind, 'issued');
    });

    test('the same body has the same hash however the number is spelled, another channel another', async () => {
      await ask(NUMBER, LIVE, 'k');
      await ask('+49 (151) 123 456 78', LIVE, 'k');
      await verifier.request(LIVE, { destination: NUMBER, channel: 'voice', idempotencyKey: 'k' });
      const [first, second, third] = issued.map(({ idempotency }) => idempotency);
      assert.deepEqual(first, second);
      assert.equal(first?.keyHash, third?.keyHash);
      assert.notEqual(first?.bodyHash, third?.bodyHash);
    });
  });

  suite('test keys', () => {
    const magic = (outcome: string) =>
      [...MAGIC_DESTINATIONS].find(([, each]) => each === outcome)?.[0] ?? '';

    test('need no route', async () => {
      findRoute = () => assert.fail('a test key has the simulator');
      assert.equal((await ask(NUMBER, TEST)).kind, 'issued');
      assert.equal(handedOver[0]?.message.test, true);
      assert.equal(issued[0]?.test, true);
    });

    test('play what a magic destination stands for', async () => {
      const unroutable = await ask(magic('unroutable'), TEST);
      assert.equal(unroutable.kind === 'invalid' && unroutable.field, 'destination');
      assert.deepEqual(await ask(magic('rate-limited'), TEST), {
        kind: 'limited',
        scope: 'destination',
        limit: LIMIT,
        retryAfterMs: LIMIT.windowMs,
      });
      assert.deepEqual(issued, []);
      for (const outcome of ['delivered', 'undelivered', 'refused', 'slow']) {
        assert.equal((await ask(magic(outcome), TEST)).kind, 'issued');
      }
    });

    test('a live key finds no magic in them', async () => {
      findRoute = () => ({ ok: false, field: 'destination', detail: 'No such route.' });
      assert.notEqual((await ask(magic('rate-limited'))).kind, 'limited');
    });
  });

  suite('confirm', () => {
    test('a success says what was confirmed, and when', async () => {
      const createdAt = Date.now() - 5_000;
      const destinationSealed = keyring.seal(NUMBER, 'ver_1');
      const found = { channel: 'sms', country: 'DE', carrier: 'smsc', createdAt, destinationSealed } as const;
      answerConfirm = async () => ({ kind: 'confirmed', ...found });
      const answer = await verifier.confirm(LIVE, 'ver_1', '482913');
      assert.ok(answer.kind === 'confirmed');
      const { confirmedAt, ...rest } = answer;
      assert.deepEqual(rest, { kind: 'confirmed', id: 'ver_1', destination: NUMBER, channel: 'sms' });
      assert.equal(confirmedAt, guesses[0]?.now);
      assert.deepEqual(told, ['confirmed sms DE smsc']);
    });

    test('a guess is made for its account, as the MAC of the code however it was typed', async () => {
      for (const code of ['482913', ' 482-913 ', '٤٨٢٩١٣']) await verifier.confirm(LIVE, 'ver_1', code);
      for (const { id, accountId, codeMac, previousCodeMac } of guesses) {
        assert.deepEqual([id, accountId, previousCodeMac], ['ver_1', 'acc_1', null]);
        assert.equal(codeMac, keyring.codeMac('ver_1', '482913').current);
      }
    });

    const outcomes: readonly ConfirmOutcome[] = [
      { kind: 'mismatch', attemptsRemaining: 2 },
      { kind: 'attempts-exhausted' },
      { kind: 'expired' },
      { kind: 'already-confirmed' },
      { kind: 'unknown' },
    ];
    for (const outcome of outcomes) {
      test(`${outcome.kind} is passed on and counts as nothing`, async () => {
        answerConfirm = async () => outcome;
        assert.deepEqual(await verifier.confirm(LIVE, 'ver_1', '482913'), outcome);
        assert.deepEqual(told, []);
      });
    }

    test('an unavailable store is passed on', async () => {
      answerConfirm = () => Promise.reject(new StoreUnavailable('full'));
      await assert.rejects(verifier.confirm(LIVE, 'ver_1', '482913'), StoreUnavailable);
    });
  });
});
