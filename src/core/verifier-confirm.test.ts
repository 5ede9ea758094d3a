import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { StoreUnavailable } from './errors.ts';
import { createVerifierRig, LIVE, NUMBER, type VerifierRig } from './fixture.ts';
import type { ConfirmOutcome } from './verification.ts';

let rig: VerifierRig;
beforeEach(() => {
  rig = createVerifierRig();
});

suite('confirm', () => {
  test('a success says what was confirmed, and when', async () => {
    const createdAt = Date.now() - 5_000;
    const destinationSealed = rig.keyring.seal(NUMBER, 'ver_1');
    const found = { channel: 'sms', country: 'DE', carrier: 'smsc', createdAt, destinationSealed } as const;
    rig.answerConfirm = async () => ({ kind: 'confirmed', ...found });
    const answer = await rig.verifier.confirm(LIVE, 'ver_1', '482913');
    assert.ok(answer.kind === 'confirmed');
    const { confirmedAt, ...rest } = answer;
    assert.deepEqual(rest, { kind: 'confirmed', id: 'ver_1', destination: NUMBER, channel: 'sms' });
    assert.equal(confirmedAt, rig.guesses[0]?.now);
    assert.deepEqual(rig.told, ['confirmed sms DE smsc']);
  });

  test('a guess is made for its account, as the MAC of the code however it was typed', async () => {
    for (const code of ['482913', ' 482-913 ', '٤٨٢٩١٣']) await rig.verifier.confirm(LIVE, 'ver_1', code);
    for (const { id, accountId, codeMac, previousCodeMac } of rig.guesses) {
      assert.deepEqual([id, accountId, previousCodeMac], ['ver_1', 'acc_1', null]);
      assert.equal(codeMac, rig.keyring.codeMac('ver_1', '482913').current);
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
      rig.answerConfirm = async () => outcome;
      assert.deepEqual(await rig.verifier.confirm(LIVE, 'ver_1', '482913'), outcome);
      assert.deepEqual(rig.told, []);
    });
  }

  test('an unavailable store is passed on', async () => {
    rig.answerConfirm = () => Promise.reject(new StoreUnavailable('full'));
    await assert.rejects(rig.verifier.confirm(LIVE, 'ver_1', '482913'), StoreUnavailable);
  });
});
