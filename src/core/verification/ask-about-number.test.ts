import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { NO_SETTINGS } from '../accounts/account-settings.ts';
import { createBudgets } from '../budgets/budgets.ts';
import { OutcomeUnknown, StoreUnavailable } from '../errors/store-failure.ts';
import type { NumberFact, NumberRule, RefusedByRule } from '../lookups/facts.ts';
import type { NumberAnswer, NumberLookup, NumberQuestion } from '../lookups/lookup.ts';
import { sealField } from '../secrets/sealed-field.ts';
import { DailyCap } from '../sending/daily-cap.ts';
import { NO_KEY } from './carrier-test.ts';
import { createVerifierRig, LIMIT, LIVE, NUMBER, OFF_DUTY, TEST, type VerifierRig } from './fixture.ts';

const NOTHING: NumberRule = { swappedWithinHours: null, lineTypes: [], recycled: false };
const SWAPPED: NumberRule = { ...NOTHING, swappedWithinHours: 72 };
const CONFIRMED_AT = Date.UTC(2026, 2, 2);

let rig: VerifierRig;
let lookups: NumberLookup[];
let asked: (NumberQuestion & { readonly lookup: string })[];
let refused: RefusedByRule[];
let taken: string[];
let givenBack: string[];
let confirmedAt: number | null;
let leaves: boolean;
let isCut: boolean;
let notWritten: number;

const callerOf = (rule: NumberRule) => ({ ...LIVE, settings: { ...NO_SETTINGS, refuse: rule } });
const ask = (rule: NumberRule = SWAPPED, number = NUMBER) => rig.ask(number, callerOf(rule));

function offer(
  name: string,
  tells: readonly NumberFact[],
  answer: NumberAnswer | (() => Promise<NumberAnswer>),
  more: Partial<NumberLookup> = {},
): void {
  lookups.push({
    ...{ name, price: 5, failsClosed: false, tells: new Set(tells), recall: () => undefined },
    permit: () => ({
      ask: async (_, question) => {
        asked.push({ lookup: name, ...question });
        return typeof answer === 'function' ? answer() : answer;
      },
      giveBack: () => givenBack.push(name),
    }),
    ...more,
  });
}

suite('what look-ups say of a number before a code is sent to it', () => {
  beforeEach(() => {
    [lookups, asked, refused, taken, givenBack] = [[], [], [], [], []];
    confirmedAt = null;
    leaves = true;
    isCut = false;
    notWritten = 0;
    const line = new Map<string, Promise<unknown>>();
    rig = createVerifierRig({
      lookups: {
        lookups: {
          all: [],
          that: (_, wanted) => lookups.filter(({ tells }) => wanted.some((fact) => tells.has(fact))),
          inTurn: (of, run) => {
            const turn = (line.get(of) ?? Promise.resolve()).then(run);
            line.set(of, turn);
            return turn;
          },
        },
        records: {
          lastConfirmed: async () => confirmedAt,
          takeRequest: async (keyId) => {
            taken.push(keyId);
            if (isCut) throw new OutcomeUnknown('cut');
          },
        },
        leaves: () => leaves,
      },
    });
    rig.guardPort = {
      ...OFF_DUTY,
      judge: () => ({ passes: true, written: () => {}, notWritten: () => (notWritten += 1) }),
      refusedByRule: (_, refusal) => refused.push(refusal),
    };
  });

  test('a number that the account refuses gets no code, and the client is not told why', async () => {
    offer('swap', ['swapped'], { swapped: true });
    assert.deepEqual(await ask(), { kind: 'guarded', retryAfterMs: 60_000 });
    assert.deepEqual([rig.issued.length, rig.handedOver.length, notWritten], [0, 0, 1]);
    assert.deepEqual(
      refused.map(({ rule }) => rule),
      ['lookup-swapped'],
    );
    assert.deepEqual(asked, [
      {
        ...{ lookup: 'swap', number: NUMBER },
        ...{ swappedWithinHours: 72, portedWithinHours: undefined, confirmedAt: undefined },
      },
    ]);
  });

  test('any other gets one, whose lease begins after the answer', async () => {
    offer('swap', ['swapped'], async () => {
      rig.clock.pass(1_500);
      return { swapped: false };
    });
    const before = rig.clock.now();
    assert.equal((await ask()).kind, 'issued');
    assert.equal(rig.issued[0]?.leaseUntil, before + 1_500 + 15_000);
    assert.equal(rig.issued[0]?.createdAt, before);
    assert.equal(rig.handedOver[0]?.leasedSince, rig.clock.steady());
    assert.deepEqual([refused, taken, notWritten], [[], [], 0]);
  });

  test('a clock that is set back during a question makes no code valid for longer, and no limit longer', async () => {
    rig.findBudgets = createBudgets([{ of: 'account', per: 'day', money: 100 }], () => 30);
    offer('swap', ['swapped'], async () => {
      rig.clock.step(-86_400_000);
      rig.clock.pass(1_500);
      return { swapped: false };
    });
    const before = rig.clock.now();
    assert.equal((await ask()).kind, 'issued');
    const now = before - 86_400_000 + 1_500;
    const [issued] = rig.issued;
    assert.deepEqual(
      [issued?.createdAt, issued?.expiresAt, issued?.leaseUntil],
      [now, now + 600_000, now + 15_000],
    );
    assert.equal(rig.handedOver[0]?.message.expiresAt, now + 600_000);
    assert.equal(issued?.reservation?.charges[0]?.startsAt, now - (now % 86_400_000), 'it is paid for today');
  });

  test('nobody is asked who cannot tell, or for whom nobody wants to know', async () => {
    offer('lines', ['lineType'], { lineType: 'voip' });
    assert.equal((await ask(SWAPPED)).kind, 'issued');
    assert.equal((await ask(NOTHING)).kind, 'issued');
    assert.equal((await rig.ask()).kind, 'issued');
    assert.deepEqual([asked, rig.admitted], [[], []]);
  });

  test('nobody is asked about test keys, routes that do not leave the machine, and SIP', async () => {
    offer('swap', ['swapped'], { swapped: true });
    const caller = callerOf(SWAPPED);
    assert.equal((await rig.ask(NUMBER, { ...caller, ...TEST })).kind, 'issued');
    const sip = { destination: 'sip:a@example.com', channel: 'voice', idempotencyKey: undefined } as const;
    assert.equal((await rig.verifier.request(caller, sip)).kind, 'issued');
    leaves = false;
    assert.equal((await ask()).kind, 'issued');
    assert.deepEqual(asked, []);
  });

  const refusals = {
    blocked: { kind: 'blocked' },
    limited: { kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 1 },
  } as const;
  for (const [name, outcome] of Object.entries(refusals)) {
    test(`nobody is asked where the request is ${name}`, async () => {
      offer('swap', ['swapped'], { swapped: true });
      rig.answerAdmit = async () => outcome;
      assert.notEqual((await ask()).kind, 'issued');
      assert.deepEqual([asked, rig.issued.length, notWritten], [[], 0, 1]);
    });
  }

  test('nobody is asked where the guard refuses, or the route’s daily cap', async () => {
    offer('swap', ['swapped'], { swapped: true });
    rig.guardPort = { ...rig.guardPort, judge: () => ({ passes: false, refused: () => {} }) };
    assert.equal((await ask()).kind, 'guarded');
    rig.guardPort = OFF_DUTY;
    const none = { takeQuota: async () => 0, returnQuota: async () => {} };
    rig.cap = new DailyCap(none, 'route', 2, rig.clock);
    assert.equal((await ask()).kind, 'limited');
    assert.deepEqual([asked, rig.admitted], [[], []]);
  });

  test('what it costs is reserved with the message, and both are named where they do not fit', async () => {
    offer('swap', ['swapped'], { swapped: false });
    rig.findBudgets = createBudgets([{ of: 'account', per: 'day', money: 100 }], () => 30);
    await ask();
    const [{ verification, price } = { verification: undefined, price: 0 }] = rig.admitted;
    assert.deepEqual([verification?.reservation?.prices, price], [{ smsc: 30, 'a look-up': 5 }, 5]);
    assert.deepEqual(rig.issued[0]?.reservation?.prices, { smsc: 30 });
    rig.answerAdmit = async () => ({ kind: 'exhausted', charge: 0, retryAfterMs: 1 });
    assert.equal((await ask()).kind, 'exhausted');
    assert.equal(asked.length, 1);
  });

  test('a budget that a question fills is told, whether or not the number is refused then', async () => {
    rig.findBudgets = createBudgets([{ of: 'account', per: 'day', money: 100 }], () => 30);
    rig.answerAdmit = async () => ({ kind: 'issued', nearlyUsed: [0] });
    for (const swapped of [true, false]) {
      lookups.length = 0;
      rig.told.length = 0;
      offer('swap', ['swapped'], { swapped });
      await ask();
      assert.deepEqual(
        rig.told.filter((words) => words.startsWith('nearly')),
        ['nearly used account'],
      );
    }
  });

  test('a request that was paid for counts for its key, refused or not; one that was not does not', async () => {
    offer('swap', ['swapped'], { swapped: true });
    await ask();
    assert.deepEqual(taken, ['key_1']);
    lookups.length = 0;
    offer('swap', ['swapped'], 'failed', { recall: () => ({ swapped: true }) });
    assert.equal((await ask()).kind, 'guarded');
    assert.deepEqual(taken, ['key_1']);
    assert.equal(rig.admitted.length, 1);
  });

  test('nor does it matter whether a later look-up is still admitted', async () => {
    offer('lines', ['lineType'], { lineType: 'mobile' });
    offer('swap', ['swapped'], { swapped: false });
    const exhausted = { kind: 'exhausted', charge: 0, retryAfterMs: 1 } as const;
    const rule = { ...SWAPPED, lineTypes: ['voip'] } as const;
    rig.findBudgets = createBudgets([{ of: 'account', per: 'day', money: 100 }], () => 30);
    rig.answerAdmit = async () => (asked.length === 0 ? { kind: 'issued' } : exhausted);
    assert.equal((await ask(rule)).kind, 'exhausted');
    // the store has counted it
    assert.deepEqual([asked.length, taken], [1, []]);
    rig.answerAdmit = async () => (asked.length === 1 ? { kind: 'issued' } : { kind: 'blocked' });
    assert.equal((await ask(rule)).kind, 'invalid');
    assert.deepEqual([asked.length, taken], [2, ['key_1']]);
    rig.answerAdmit = async () => exhausted;
    assert.equal((await ask(rule)).kind, 'exhausted');
    assert.deepEqual([asked.length, taken], [2, ['key_1']]);
  });

  test('a repetition is answered as the first was, whatever is known of the number now', async () => {
    offer('swap', ['swapped'], 'failed', { recall: () => ({ swapped: true }) });
    const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_1', 'destination');
    rig.foundReplay = { kind: 'replayed', id: 'ver_1', channel: 'sms', destinationSealed };
    const first = { kind: 'issued', id: 'ver_1', destination: NUMBER, channel: 'sms' };
    assert.deepEqual(await rig.ask(NUMBER, callerOf(SWAPPED), 'key'), first);
    lookups.length = 0;
    offer('swap', ['swapped'], { swapped: true });
    rig.answerAdmit = async () => rig.foundReplay ?? { kind: 'issued' };
    assert.deepEqual(await rig.ask(NUMBER, callerOf(SWAPPED), 'key'), first);
    assert.deepEqual([asked, refused], [[], []]);
  });

  test('it holds for tests of carriers, which are in no queue and count for no key', async () => {
    offer('swap', ['swapped'], { swapped: true });
    const number = { destination: NUMBER, channel: 'sms' } as const;
    const testCarrier = () =>
      rig.verifier.test({ ...callerOf(SWAPPED), keyId: NO_KEY }, number, { id: 'ver_1', carrier: 'smsc' });
    assert.equal((await testCarrier()).kind, 'guarded');
    lookups.length = 0;
    offer('swap', ['swapped'], { swapped: false });
    assert.equal((await testCarrier()).kind, 'issued');
    assert.equal(rig.issued[0]?.leaseUntil, null);
    assert.deepEqual(taken, []);
  });

  test('without an answer, one that fails open sends, and one that fails closed does not', async () => {
    offer('swap', ['swapped'], 'failed');
    assert.equal((await ask()).kind, 'issued');
    lookups.length = 0;
    offer('swap', ['swapped'], 'failed', { failsClosed: true });
    assert.deepEqual(await ask(), { kind: 'unanswered', retryAfterMs: 5_000 });
    assert.deepEqual([rig.issued.length, notWritten, refused], [1, 1, []]);
  });

  test('who may not ask, because another tries whether it is back, pays for nothing', async () => {
    offer('swap', ['swapped'], { swapped: true }, { failsClosed: true, permit: () => undefined });
    assert.equal((await ask()).kind, 'unanswered');
    lookups.length = 0;
    offer('swap', ['swapped'], { swapped: true }, { permit: () => undefined });
    assert.equal((await ask()).kind, 'issued');
    assert.deepEqual([rig.admitted.length, taken], [0, []]);
  });

  test('who is not admitted leaves the question to others, whatever is in the way', async () => {
    offer('swap', ['swapped'], { swapped: false });
    rig.answerAdmit = async () => ({ kind: 'blocked' });
    await ask();
    for (const [number, failure] of [
      ['+4915112345671', new StoreUnavailable('away')],
      ['+4915112345672', new OutcomeUnknown('cut')],
    ] as const) {
      rig.answerAdmit = () => Promise.reject(failure);
      await assert.rejects(ask(SWAPPED, number), StoreUnavailable);
    }
    assert.deepEqual(givenBack, ['swap', 'swap', 'swap']);
    rig.answerAdmit = async () => ({ kind: 'issued' });
    await ask();
    assert.deepEqual([givenBack.length, asked.length], [3, 1]);
  });

  test('what only counts for the key is not told as perhaps sent', async () => {
    offer('swap', ['swapped'], { swapped: true });
    isCut = true;
    await assert.rejects(ask(), StoreUnavailable);
    assert.deepEqual([taken.length, rig.issued.length, notWritten], [1, 0, 1]);
  });

  test('that a provider does not know is an answer', async () => {
    offer('swap', ['swapped'], {}, { failsClosed: true });
    assert.equal((await ask()).kind, 'issued');
  });

  test('one that fails closed and did not answer is missed, unless another knows', async () => {
    const down = () => offer('down', ['swapped'], 'failed', { failsClosed: true });
    const other = (answer: NumberAnswer) => offer('other', ['swapped'], answer);
    const orders = (answer: NumberAnswer) => [() => [down(), other(answer)], () => [other(answer), down()]];
    for (const inOrder of orders({})) {
      lookups.length = 0;
      inOrder();
      assert.equal((await ask()).kind, 'unanswered');
    }
    for (const inOrder of orders({ swapped: false })) {
      lookups.length = 0;
      inOrder();
      assert.equal((await ask()).kind, 'issued');
    }
  });

  test('the next that can tell is asked where one did not answer, or does not know', async () => {
    offer('one', ['swapped'], 'failed', { failsClosed: true });
    offer('two', ['swapped', 'lineType'], { lineType: 'mobile' });
    offer('three', ['swapped'], { swapped: true });
    offer('four', ['swapped'], { swapped: true });
    assert.equal((await ask()).kind, 'guarded');
    assert.deepEqual(
      asked.map(({ lookup }) => lookup),
      ['one', 'two', 'three'],
    );
    assert.equal(rig.admitted.length, 3);
  });

  test('the first that refuses ends it, and what is known is not asked again', async () => {
    offer('lines', ['lineType', 'swapped'], { lineType: 'mobile', swapped: false });
    offer('swap', ['swapped'], { swapped: true });
    const rule = { ...SWAPPED, lineTypes: ['voip'] } as const;
    assert.equal((await ask(rule)).kind, 'issued');
    assert.deepEqual(
      asked.map(({ lookup }) => lookup),
      ['lines'],
    );
    assert.equal((await ask({ ...rule, lineTypes: ['mobile'] })).kind, 'guarded');
    assert.equal(asked.length, 2);
  });

  test('recycled is asked since the last confirmation, and not of a number without one', async () => {
    offer('again', ['recycled'], { recycled: true });
    const rule = { ...NOTHING, recycled: true };
    assert.equal((await ask(rule)).kind, 'issued');
    assert.equal(asked.length, 0);
    confirmedAt = CONFIRMED_AT;
    assert.equal((await ask(rule)).kind, 'guarded');
    const about = {
      ...{ number: NUMBER, swappedWithinHours: undefined, portedWithinHours: undefined },
      confirmedAt: CONFIRMED_AT,
    };
    assert.deepEqual([...asked], [{ lookup: 'again', ...about }]);
  });

  test('of many requests for one number at once, the first asks and the others know', async () => {
    let known: NumberAnswer | undefined;
    offer(
      'swap',
      ['swapped'],
      async () => {
        known = { swapped: true };
        return known;
      },
      { recall: () => known },
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    assert.ok(answers.every(({ kind }) => kind === 'guarded'));
    assert.deepEqual([asked.length, refused.length], [1, 20]);
  });

  test('a store that fails meanwhile has written nothing', async () => {
    offer('swap', ['swapped'], { swapped: false });
    for (const error of [new StoreUnavailable('full'), new Error('cut')]) {
      rig.answerAdmit = () => Promise.reject(error);
      await assert.rejects(ask());
    }
    assert.deepEqual([notWritten, rig.issued.length, asked.length], [2, 0, 0]);
  });
});
