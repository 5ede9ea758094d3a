/** Missed calls: the code is the end of a number that no other open code has. */
import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { NO_SETTINGS } from '../accounts/account-settings.ts';
import { CHANNEL_NAMES } from '../destination/channel.ts';
import { OutcomeUnknown, StoreUnavailable } from '../errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../seams/clock.ts';
import { sealField } from '../secrets/sealed-field.ts';
import { DailyCap } from '../sending/daily-cap.ts';
import type { EndingStore } from './endings.ts';
import { createVerifierRig, LIMIT, LIVE, NUMBER, TEST, type VerifierRig } from './fixture.ts';
import type { Caller, VerificationRequest } from './request.ts';

suite('a missed call', () => {
  let rig: VerifierRig;
  let taken: string[];
  let tries: number;
  let isFree: (ending: string) => boolean;
  let judged: string[];
  let noneFree: string[];

  beforeEach(() => {
    [taken, tries, isFree, judged, noneFree] = [[], 0, () => true, [], []];
    const store: EndingStore = {
      take: async (ending, { accountId, now, until, most, mostOfAccount }) => {
        assert.deepEqual(
          [accountId, until - now, most, mostOfAccount],
          [LIVE.accountId, 600_000, 5_000, 2_000],
        );
        tries++;
        if (!isFree(ending)) return false;
        taken.push(ending);
        return true;
      },
      giveBack: async (ending) => {
        taken = taken.filter((each) => each !== ending);
      },
    };
    rig = createVerifierRig({
      channels: CHANNEL_NAMES,
      endings: { length: 4, store, noneFree: (account) => noneFree.push(account) },
    });
    rig.findRoute = (channel) => ({ ok: true, route: { channel, carriers: ['calls'] } });
    rig.guardPort = {
      ...rig.guardPort,
      judge: () => ({
        passes: true,
        written: () => judged.push('written'),
        notWritten: () => judged.push('not written'),
      }),
    };
  });

  const ask = (wanted: Partial<VerificationRequest> = {}, caller: Caller = LIVE, idempotencyKey?: string) =>
    rig.verifier.request(caller, { destination: NUMBER, channel: 'flashcall', idempotencyKey, ...wanted });

  test('has four digits as its code, says nothing, and allows three guesses', async () => {
    assert.equal((await ask()).kind, 'issued');
    const [{ message } = assert.fail('nothing was handed over')] = rig.handedOver;
    assert.match(message.code, /^[0-9]{4}$/);
    assert.deepEqual([message.text, message.channel], ['', 'flashcall']);
    assert.deepEqual([taken, rig.issued[0]?.guesses], [[message.code], 3]);
    assert.deepEqual(judged, ['written']);
  });

  test('is found by no number, whatever the account confirms by it', async () => {
    for (const settings of [
      { ...NO_SETTINGS, twilio: true } as const,
      { ...NO_SETTINGS, camara: true } as const,
    ]) {
      await ask({}, { ...LIVE, settings });
      await ask({ channel: 'sms' }, { ...LIVE, settings });
    }
    assert.deepEqual(
      rig.issued.map(({ channel, byNumber }) => [channel, byNumber]),
      [
        ['flashcall', undefined],
        ['sms', true],
        ['flashcall', undefined],
        ['sms', true],
      ],
    );
  });

  test('draws another ending while one is taken', async () => {
    isFree = () => tries === 4;
    assert.equal((await ask()).kind, 'issued');
    assert.deepEqual([tries, noneFree], [4, []]);
    assert.deepEqual(taken, [rig.handedOver[0]?.message.code]);
  });

  test('is refused as over a limit when no draw is free, and a repetition is answered all the same', async () => {
    isFree = () => false;
    const answer = await ask({}, LIVE, 'k');
    assert.deepEqual(answer, {
      kind: 'limited',
      scope: 'route',
      limit: { max: 2_000, windowMs: 600_000 },
      retryAfterMs: 60_000,
    });
    assert.deepEqual([tries, noneFree], [10, [LIVE.accountId]]);
    const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_first', 'destination');
    rig.foundReplay = { kind: 'replayed', id: 'ver_first', destinationSealed, channel: 'flashcall' };
    assert.equal((await ask({}, LIVE, 'k')).kind, 'issued');
    assert.deepEqual([rig.issued, rig.handedOver, judged], [[], [], ['not written', 'not written']]);
  });

  test('gives its ending back when nothing was written, for whatever reason', async () => {
    const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_first', 'destination');
    rig.answerIssue = async () => ({ kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 7 });
    await ask();
    rig.answerIssue = async () => ({
      kind: 'replayed',
      id: 'ver_first',
      destinationSealed,
      channel: 'flashcall',
    });
    await ask({}, LIVE, 'k');
    rig.answerIssue = () => Promise.reject(new StoreUnavailable('full'));
    await assert.rejects(ask(), StoreUnavailable);
    rig.answerIssue = async () => ({ kind: 'issued' });
    rig.cap = new DailyCap(
      { takeQuota: async () => 0, returnQuota: async () => {} },
      'route',
      2,
      SYSTEM_CLOCK,
    );
    assert.equal((await ask()).kind, 'limited');
    assert.deepEqual([tries, taken], [4, []]);
    assert.deepEqual(judged, ['not written', 'not written', 'not written', 'not written']);
  });

  test('writes nothing, says so and tells the guard, while nobody can tell what is taken', async () => {
    for (const failure of [new StoreUnavailable('away'), new OutcomeUnknown('cut')]) {
      isFree = () => {
        throw failure;
      };
      await assert.rejects(ask(), StoreUnavailable);
    }
    assert.deepEqual([rig.issued, judged], [[], ['not written', 'not written']]);
  });

  test('of a test key takes no ending', async () => {
    assert.equal((await ask({}, TEST)).kind, 'issued');
    assert.match(rig.handedOver[0]?.message.code ?? '', /^[0-9]{4}$/);
    assert.equal(tries, 0);
  });

  test('has no code that a request chose, or the length of', async () => {
    for (const [options, field] of [
      [{ codeLength: 4 }, 'options/code_length'],
      [{ customCode: '1234' }, 'options/custom_code'],
    ] as const) {
      // Also for a key that may not bring codes: it would be allowed to in vain.
      for (const customCodes of [true, false]) {
        const answer = await ask({ options }, { ...LIVE, customCodes } as typeof LIVE);
        assert.ok(answer.kind === 'invalid');
        assert.deepEqual([answer.field, answer.code], [field, 'not_allowed_value']);
        assert.match(answer.detail, /the code is the end of the number that calls/);
      }
    }
    assert.equal(tries, 0);
  });

  test('other channels take no ending, and allow the guesses that are configured', async () => {
    for (const channel of CHANNEL_NAMES.filter((name) => name !== 'flashcall'))
      assert.equal((await ask({ channel })).kind, 'issued');
    assert.deepEqual([tries, new Set(rig.issued.map(({ guesses }) => guesses))], [0, new Set([5])]);
  });
});
