import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { NO_SETTINGS } from '../../accounts/account-settings.ts';
import { sealField } from '../../secrets/sealed-field.ts';
import { createVerifierRig, LIMIT, LIVE, NUMBER, PLAIN_LIMITS, TEST } from '../fixture.ts';
import type { Inquired, InquiryAnswer } from '../reading/inquiry.ts';
import { createNumberVerifier } from './by-number.ts';
import type {
  Approval,
  LiveCode,
  NumberGuess,
  NumberOfAccount,
  NumberOutcome,
  OneCode,
} from './number-store.ts';

const LIMITS = [{ max: 3, windowMs: 60_000 }];
const CODES: LiveCode[] = [
  { id: 'ver_2', channel: 'voice' },
  { id: 'ver_1', channel: 'sms' },
];

function createRig(outcome: NumberOutcome, live = CODES, inquiry: InquiryAnswer = { kind: 'unknown' }) {
  const { clock, keyring } = createVerifierRig();
  const told: string[] = [];
  const looked: NumberOfAccount[] = [];
  const guesses: NumberGuess[] = [];
  const approvals: Approval[] = [];
  const canceled: OneCode[] = [];
  const nothing = () => {};
  const numbers = createNumberVerifier({
    clock,
    keyring,
    store: {
      findLive: async (number) => {
        looked.push(number);
        return live;
      },
      confirmByNumber: async (guess) => {
        guesses.push(guess);
        return outcome;
      },
      approve: async (wanted) => {
        approvals.push(wanted);
        return outcome;
      },
      cancel: async (wanted) => canceled.push(wanted) > 0,
    },
    findNumberHashes: async () => undefined,
    lookUp: async () =>
      inquiry.kind === 'found' ? { kind: 'found', shown: inquiry, address: NUMBER } : inquiry,
    deliveryMetrics: {
      ...{
        requested: nothing,
        attempted: nothing,
        submitted: nothing,
        delivered: nothing,
        undelivered: nothing,
      },
      ...{ failed: nothing, breaker: nothing, erred: nothing, dismissed: nothing },
      ...{ unusable: nothing, queueDepth: nothing },
      confirmed: (channel, country, carrier) => told.push(`counted ${channel} ${country} ${carrier}`),
    },
    guardPort: {
      refusedByRule: () => {},
      judge: () => ({ passes: true, written: nothing, notWritten: nothing }),
      confirmed: (_typed, address) => told.push(`confirmed ${address}`),
      mismatched: ({ country }) => told.push(`mismatched ${country}`),
    },
    accountLimits: PLAIN_LIMITS,
    code: { alphabet: 'digits' },
  });
  return { clock, keyring, numbers, told, looked, guesses, approvals, canceled };
}

const ASKER = { country: 'DE', clientNetwork: null };

suite('codes by number', () => {
  test('a code is held against every live code of the number, under the MAC of each', async () => {
    const { numbers, keyring, looked, guesses, clock, told } = createRig({
      ...{ kind: 'mismatch', id: 'ver_2', attemptsRemaining: 4 },
      ...ASKER,
    });
    const caller = { ...LIVE, settings: { ...NO_SETTINGS, failedGuessesPerDestination: LIMITS } };
    assert.deepEqual(await numbers.check(caller, { address: NUMBER }, ' 482-913 '), {
      ...{ kind: 'mismatch', id: 'ver_2', destination: NUMBER, channel: 'voice' },
    });
    const hash = keyring.destinationHash('acc_1', false, NUMBER);
    const number = {
      ...{ accountId: 'acc_1', test: false, now: clock.now() },
      ...{ destinationHash: hash.current, earlierDestinationHashes: hash.earlier },
    };
    assert.deepEqual(looked, [number]);
    const candidates = ['ver_2', 'ver_1'].map((id) => {
      const { current: codeMac, earlier: earlierCodeMacs } = keyring.codeMac(id, '482913');
      return { id, codeMac, earlierCodeMacs };
    });
    assert.deepEqual(guesses, [{ ...number, limits: [LIMIT, ...LIMITS], candidates }]);
    assert.deepEqual(told, ['mismatched DE']);
  });

  test('what a client approves is within the limits of its account', async () => {
    const { numbers, approvals } = createRig({ kind: 'attempts-exhausted' });
    const caller = { ...LIVE, settings: { ...NO_SETTINGS, failedGuessesPerDestination: LIMITS } };
    assert.equal(await numbers.approve(caller, 'ver_1'), 'attempts-exhausted');
    assert.deepEqual(approvals.at(0)?.limits, [LIMIT, ...LIMITS]);
  });

  test('a key checks codes of its own kind, live or test', async () => {
    for (const caller of [LIVE, TEST]) {
      const { numbers, keyring, looked, guesses } = createRig({ kind: 'unknown' });
      await numbers.check(caller, { address: NUMBER }, '482913');
      const { current } = keyring.destinationHash(caller.accountId, caller.test, NUMBER);
      assert.deepEqual(
        [...looked, ...guesses].map(({ test: isTest, destinationHash }) => [isTest, destinationHash]),
        [
          [caller.test, current],
          [caller.test, current],
        ],
      );
    }
  });

  for (const [caller, heard] of [
    [LIVE, ['counted sms DE smsc', `confirmed ${NUMBER}`]],
    [TEST, ['counted sms DE smsc']],
  ] as const) {
    test(`an approval is counted, and the guard hears of it unless it is a test (${caller.test})`, async () => {
      const { keyring } = createVerifierRig();
      const { numbers, told } = createRig({
        ...{ kind: 'confirmed', id: 'ver_1', channel: 'sms', carrier: 'smsc', createdAt: 0 },
        destinationSealed: sealField(keyring, NUMBER, 'ver_1', 'destination'),
        ...ASKER,
        ...(caller.test && { test: true }),
      });
      assert.deepEqual(await numbers.check(caller, { address: NUMBER }, '482913'), {
        ...{ kind: 'confirmed', id: 'ver_1', destination: NUMBER, channel: 'sms' },
      });
      assert.deepEqual(told, heard);
      assert.equal(await numbers.approve(caller, 'ver_1'), 'confirmed');
      assert.deepEqual(told, [...heard, ...heard], 'also without a code');
    });
  }

  test('a number that was given by an id is shown as the key may see it, until the code is right', async () => {
    const { keyring, clock } = createVerifierRig();
    const masked = '+49•••••••••78';
    const found: Inquired = {
      ...{ kind: 'found', id: 'ver_1', destination: masked, channel: 'sms', progress: 'submitted' },
      ...{
        createdAt: 0,
        expiresAt: clock.now() + 600_000,
        confirmedAt: null,
        endedAt: null,
        guessesLeft: 1,
        attempts: [],
      },
    };
    const sent = { channel: 'sms', carrier: 'smsc', createdAt: 0, ...ASKER } as const;
    const destinationSealed = sealField(keyring, NUMBER, 'ver_1', 'destination');
    const outcomes: readonly (readonly [NumberOutcome, string])[] = [
      [{ kind: 'mismatch', id: 'ver_1', attemptsRemaining: 1, ...ASKER }, masked],
      [{ kind: 'confirmed', id: 'ver_1', destinationSealed, ...sent }, NUMBER],
    ];
    for (const [outcome, shown] of outcomes) {
      const { numbers, looked } = createRig(outcome, CODES, found);
      const answer = await numbers.check(LIVE, { id: 'ver_1' }, '482913');
      assert.equal('destination' in answer && answer.destination, shown);
      assert.equal(looked[0]?.destinationHash, keyring.destinationHash('acc_1', false, NUMBER).current);
    }
    const { numbers, looked } = createRig({ kind: 'unknown' }, CODES, { ...found, guessesLeft: 0 });
    assert.deepEqual(await numbers.check(LIVE, { id: 'ver_1' }, '482913'), { kind: 'unknown' });
    assert.deepEqual(looked, []);
  });

  test('without a live code nothing is judged', async () => {
    const { numbers, guesses } = createRig({ kind: 'attempts-exhausted' }, []);
    assert.deepEqual(await numbers.check(LIVE, { address: NUMBER }, '482913'), { kind: 'unknown' });
    assert.deepEqual(guesses, []);
  });

  test('only a live verification is found', async () => {
    const found: Omit<Inquired, 'expiresAt'> = {
      kind: 'found',
      id: 'ver_1',
      destination: NUMBER,
      channel: 'sms',
      progress: 'submitted',
      createdAt: 0,
      endedAt: null,
      confirmedAt: null,
      guessesLeft: 1,
      attempts: [],
    };
    const { now } = createVerifierRig().clock;
    const cases: readonly (readonly [InquiryAnswer, boolean])[] = [
      [{ ...found, expiresAt: now() + 60_000 }, true],
      [{ ...found, expiresAt: now() - 1 }, false],
      // A clock was ahead when it was ended.
      [{ ...found, expiresAt: now() + 60_000, endedAt: now() + 60_000 }, false],
      [{ ...found, expiresAt: now() + 60_000, confirmedAt: 1 }, false],
      [{ ...found, expiresAt: now() + 60_000, guessesLeft: 0 }, false],
    ];
    for (const [inquiry, isLive] of cases) {
      const { numbers } = createRig({ kind: 'unknown' }, [], inquiry);
      assert.deepEqual(await numbers.findLive(LIVE, 'ver_1'), isLive ? inquiry : { kind: 'unknown' });
    }
  });

  test('a key cancels codes of its own kind', async () => {
    const { numbers, canceled, clock } = createRig({ kind: 'unknown' });
    assert.equal(await numbers.cancel(TEST, 'ver_1'), true);
    assert.deepEqual(canceled, [{ id: 'ver_1', accountId: 'acc_1', test: true, now: clock.now() }]);
  });
});
