import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { createBudgets } from '../budgets/budgets.ts';
import { StoreUnavailable } from '../errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../seams/clock.ts';
import { sealField } from '../secrets/sealed-field.ts';
import { DailyCap } from '../sending/daily-cap.ts';
import { createVerifierRig, LIVE, NUMBER, TEST, type VerifierRig } from './fixture.ts';
import type { GuardedRequest } from './guard-port.ts';

let rig: VerifierRig;
let asked: GuardedRequest[];
let written: number;
let notWritten: number;
let refused: number;

const off = { refusedByRule: () => {}, confirmed: () => {}, mismatched: () => {} };

function refuse(): void {
  rig.guardPort = { ...off, judge: () => ({ passes: false, refused: () => (refused += 1) }) };
}

suite('the guard before a request is written', () => {
  beforeEach(() => {
    rig = createVerifierRig();
    asked = [];
    written = 0;
    notWritten = 0;
    refused = 0;
    rig.guardPort = {
      ...off,
      judge: (request) => {
        asked.push(request);
        return { passes: true, written: () => (written += 1), notWritten: () => (notWritten += 1) };
      },
    };
  });

  test('what it refuses is neither written nor sent, and the answer says nothing of why', async () => {
    refuse();
    assert.deepEqual(await rig.ask(), { kind: 'guarded', retryAfterMs: 60_000 });
    assert.deepEqual([rig.issued.length, rig.handedOver.length, refused], [0, 0, 1]);
  });

  test('it knows the network of the device only as a hash, which is written too', async () => {
    const request = { destination: NUMBER, channel: 'sms', idempotencyKey: undefined } as const;
    await rig.verifier.request(LIVE, { ...request, signals: { ip: '2001:db8:1:2::9' } });
    await rig.verifier.request(LIVE, { ...request, signals: { ip: '2001:DB8:1:2:ffff::1' } });
    await rig.verifier.request(LIVE, request);
    const [one, other, none] = asked.map(({ clientNetwork }) => clientNetwork);
    assert.equal(one, rig.keyring.clientNetworkHash('2001:db8:1:2::1'));
    assert.deepEqual([other, none], [one, null]);
    assert.deepEqual(
      rig.issued.map(({ clientNetwork }) => clientNetwork),
      [one, one, null],
    );
  });

  test('what the daily cap of the route refuses does not count as sent', async () => {
    rig.cap = new DailyCap(
      { takeQuota: async () => 0, returnQuota: async () => {} },
      'route',
      2,
      SYSTEM_CLOCK,
    );
    assert.equal((await rig.ask()).kind, 'limited');
    assert.deepEqual([asked.length, notWritten], [1, 1]);
  });

  test('it hears of codes that were typed, but not of those of test keys', async () => {
    const heard: string[] = [];
    rig.guardPort = { ...rig.guardPort, confirmed: (_, address) => heard.push(address) };
    const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_1', 'destination');
    const found = { channel: 'sms', carrier: null, createdAt: 1, destinationSealed } as const;
    // What the code was asked for with, not what asks now, whatever the store answers.
    for (const asked of [{}, { test: true }] as const) {
      rig.answerConfirm = async () => ({
        ...{ kind: 'confirmed', ...found, country: 'DE', clientNetwork: null, ...asked },
      });
      for (const caller of [LIVE, TEST]) await rig.verifier.confirm(caller, 'ver_1', '482913');
      rig.answerConfirm = async () => ({
        ...{ kind: 'mismatch', attemptsRemaining: 2, country: 'DE', clientNetwork: 'n', ...asked },
      });
      for (const caller of [LIVE, TEST]) await rig.verifier.confirm(caller, 'ver_1', '482913');
    }
    assert.deepEqual(heard, [NUMBER, NUMBER]);
    assert.deepEqual(
      rig.told.filter((one) => one.startsWith('mismatched')),
      ['mismatched DE n', 'mismatched DE n'],
    );
  });

  test('test keys are not asked for', async () => {
    refuse();
    assert.equal((await rig.ask(NUMBER, TEST)).kind, 'issued');
  });

  test('a repetition of a written request is answered, whatever the guard thinks now', async () => {
    refuse();
    const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_1', 'destination');
    rig.foundReplay = { kind: 'replayed', id: 'ver_1', channel: 'sms', destinationSealed };
    const first = { kind: 'issued', id: 'ver_1', destination: NUMBER, channel: 'sms' };
    assert.deepEqual(await rig.ask(NUMBER, LIVE, 'key'), first);
    rig.foundReplay = { kind: 'idempotency-mismatch' };
    assert.equal((await rig.ask(NUMBER, LIVE, 'key')).kind, 'idempotency-mismatch');
    assert.equal(refused, 0);
    rig.foundReplay = undefined;
    assert.equal((await rig.ask(NUMBER, LIVE, 'key')).kind, 'guarded');
    assert.equal(refused, 1);
  });

  const refusals = {
    limit: { kind: 'limited', scope: 'key', limit: { max: 1, windowMs: 1 }, retryAfterMs: 1 },
    block: { kind: 'blocked' },
    mismatch: { kind: 'idempotency-mismatch' },
  } as const;
  for (const [name, outcome] of Object.entries(refusals)) {
    test(`what a ${name} refuses was not sent`, async () => {
      rig.answerIssue = async () => outcome;
      await rig.ask();
      assert.deepEqual([written, notWritten], [0, 1]);
    });
  }

  test('a store that wrote nothing takes it back, one that may have written does not', async () => {
    rig.answerIssue = () => Promise.reject(new StoreUnavailable('full'));
    await assert.rejects(rig.ask());
    assert.deepEqual([written, notWritten], [0, 1]);
    rig.answerIssue = () => Promise.reject(new Error('cut'));
    await assert.rejects(rig.ask());
    assert.deepEqual([written, notWritten], [1, 1]);
    rig.answerIssue = async () => ({ kind: 'issued' });
    await rig.ask();
    assert.deepEqual([written, notWritten], [2, 1]);
  });

  test('nothing is reserved in a budget for what it refuses', async () => {
    refuse();
    rig.findBudgets = createBudgets([{ of: 'account', per: 'day', messages: 1 }], () => 1);
    assert.equal((await rig.ask()).kind, 'guarded');
    assert.equal(rig.issued.length, 0);
  });
});
