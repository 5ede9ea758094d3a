import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { OutcomeUnknown, StoreUnavailable } from '../errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../seams/clock.ts';
import { sealField } from '../secrets/sealed-field.ts';
import { DailyCap } from '../sending/daily-cap.ts';
import { createVerifierRig, LIMIT, LIVE, NUMBER, TEST, type VerifierRig } from './fixture.ts';
import type { IssueOutcome } from './verification.ts';

let rig: VerifierRig;
suite('daily cap of the route', () => {
  beforeEach(() => {
    rig = createVerifierRig();
  });

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
    rig.cap = new DailyCap(quota, 'route', 2, SYSTEM_CLOCK);
  });

  test('used up means asking again after midnight UTC', async () => {
    assert.equal((await rig.ask()).kind, 'issued');
    assert.equal((await rig.ask()).kind, 'issued');
    const answer = await rig.ask();
    assert.ok(answer.kind === 'limited' && answer.scope === 'route');
    assert.deepEqual(answer.limit, { max: 2, windowMs: 86_400_000 });
    const again = new Date(Date.now() + answer.retryAfterMs);
    assert.ok(answer.retryAfterMs > 0 && again.getTime() % 86_400_000 < 60_000);
    assert.equal(rig.issued.length, 2);
  });

  test('counts only issued verifications: no refusals, replays or failed writes', async () => {
    const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_first', 'destination');
    const nothing: (() => Promise<IssueOutcome>)[] = [
      async () => ({ kind: 'limited', scope: 'destination', limit: LIMIT, retryAfterMs: 7 }),
      async () => ({ kind: 'replayed', id: 'ver_first', destinationSealed, channel: 'sms' }),
      async () => ({ kind: 'blocked' }),
      () => Promise.reject(new StoreUnavailable('full')),
    ];
    for (const answer of [...nothing, ...nothing]) {
      rig.answerIssue = answer;
      await rig.ask(NUMBER, LIVE, 'k').catch(() => {});
    }
    rig.answerIssue = async () => ({ kind: 'issued' });
    assert.equal((await rig.ask()).kind, 'issued');
    assert.equal((await rig.ask()).kind, 'issued');
    assert.equal((await rig.ask()).kind, 'limited');
  });

  test('counts what may have been written', async () => {
    rig.answerIssue = () => Promise.reject(new OutcomeUnknown('cut'));
    await assert.rejects(rig.ask(), OutcomeUnknown);
    rig.answerIssue = async () => ({ kind: 'issued' });
    assert.equal((await rig.ask()).kind, 'issued');
    assert.equal((await rig.ask()).kind, 'limited');
  });

  test('used up, a replay is answered all the same', async () => {
    const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_first', 'destination');
    rig.cap = new DailyCap(
      { takeQuota: async () => 0, returnQuota: async () => {} },
      'route',
      2,
      SYSTEM_CLOCK,
    );
    assert.equal((await rig.ask(NUMBER, LIVE, 'k')).kind, 'limited');
    rig.foundReplay = { kind: 'replayed', id: 'ver_first', destinationSealed, channel: 'sms' };
    const answer = await rig.ask(NUMBER, LIVE, 'k');
    assert.deepEqual(answer, { kind: 'issued', id: 'ver_first', destination: NUMBER, channel: 'sms' });
    assert.deepEqual([rig.issued, rig.handedOver], [[], []]);
  });

  test('that cannot be known refuses, and writes nothing', async () => {
    const away = () => Promise.reject(new StoreUnavailable('away'));
    rig.cap = new DailyCap({ takeQuota: away, returnQuota: away }, 'route', 2, SYSTEM_CLOCK);
    await assert.rejects(rig.ask(), StoreUnavailable);
    assert.deepEqual([rig.issued, rig.handedOver], [[], []]);
  });

  test('is nothing to a test key', async () => {
    for (let i = 0; i < 5; i++) assert.equal((await rig.ask(NUMBER, TEST)).kind, 'issued');
    assert.equal(used, 0);
  });
});
