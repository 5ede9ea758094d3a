import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { NO_SETTINGS } from '../accounts/account-settings.ts';
import { OutcomeUnknown, StoreUnavailable } from '../errors/store-failure.ts';
import { sealField } from '../secrets/sealed-field.ts';
import { createVerifierRig, LIMIT, LIVE, NUMBER, type VerifierRig } from './fixture.ts';
import type { ConfirmOutcome } from './verification.ts';

let rig: VerifierRig;
suite('confirm', () => {
  beforeEach(() => {
    rig = createVerifierRig();
  });

  test('a success says what was confirmed, and when', async () => {
    const createdAt = Date.now() - 5_000;
    const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_1', 'destination');
    const asker = { country: 'DE', clientNetwork: null };
    const found = { channel: 'sms', carrier: 'smsc', createdAt, destinationSealed, ...asker } as const;
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
    for (const { id, accountId, codeMac, earlierCodeMacs } of rig.guesses) {
      assert.deepEqual([id, accountId], ['ver_1', 'acc_1']);
      const mac = rig.keyring.codeMac('ver_1', '482913');
      assert.deepEqual([codeMac, earlierCodeMacs], [mac.current, mac.earlier]);
    }
  });

  test('a guess is judged within the limits of the account, too', async () => {
    const own = [{ max: 3, windowMs: 60_000 }];
    const settings = { ...NO_SETTINGS, failedGuessesPerDestination: own };
    await rig.verifier.confirm(LIVE, 'ver_1', '482913');
    await rig.verifier.confirm({ ...LIVE, settings }, 'ver_1', '482913');
    assert.deepEqual(
      rig.guesses.map(({ limits }) => limits),
      [undefined, [LIMIT, ...own]],
    );
  });

  const outcomes: readonly ConfirmOutcome[] = [
    { kind: 'attempts-exhausted' },
    { kind: 'expired' },
    { kind: 'already-confirmed' },
    { kind: 'unknown' },
    { kind: 'idempotency-mismatch' },
  ];
  for (const outcome of outcomes) {
    test(`${outcome.kind} is passed on and counts as nothing`, async () => {
      rig.answerConfirm = async () => outcome;
      assert.deepEqual(await rig.verifier.confirm(LIVE, 'ver_1', '482913'), outcome);
      assert.deepEqual(rig.told, []);
    });
  }

  test('a mismatch is passed on without who asked for the code', async () => {
    const mismatch = { kind: 'mismatch', attemptsRemaining: 2 } as const;
    rig.answerConfirm = async () => ({ ...mismatch, country: 'DE', clientNetwork: 'network' });
    assert.deepEqual(await rig.verifier.confirm(LIVE, 'ver_1', '482913'), mismatch);
    assert.deepEqual(rig.told, ['mismatched DE network']);
  });

  for (const failure of [new StoreUnavailable('full'), new OutcomeUnknown('cut')]) {
    test(`${failure.name} is passed on`, async () => {
      rig.answerConfirm = () => Promise.reject(failure);
      await assert.rejects(rig.verifier.confirm(LIVE, 'ver_1', '482913'), failure);
    });
  }

  test('a repetition is answered with the first, and counts as nothing', async () => {
    const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_1', 'destination');
    const ask = () => rig.verifier.confirm(LIVE, 'ver_1', '482913', 'k');
    const mismatch = { kind: 'mismatch', attemptsRemaining: 3 } as const;
    rig.answerConfirm = async () => ({ kind: 'replayed', first: mismatch });
    assert.deepEqual(await ask(), mismatch);
    const first = { kind: 'confirmed', channel: 'sms', destinationSealed, confirmedAt: 7 } as const;
    rig.answerConfirm = async () => ({ kind: 'replayed', first });
    const answer = { kind: 'confirmed', id: 'ver_1', destination: NUMBER, channel: 'sms', confirmedAt: 7 };
    assert.deepEqual(await ask(), answer);
    assert.deepEqual(rig.told, []);
  });

  test('a key is bound to id and code, however that is typed, and is not that of a request for a code', async () => {
    for (const [id, code] of [
      ['ver_1', '482913'],
      ['ver_1', '482-913'],
      ['ver_1', '482914'],
      ['ver_2', '482913'],
    ] as const) {
      await rig.verifier.confirm(LIVE, id, code, 'k');
    }
    await rig.ask(NUMBER, LIVE, 'k');
    const keys = rig.guesses.map(({ idempotency }) => idempotency);
    assert.deepEqual(keys[0], keys[1]);
    assert.equal(new Set(keys.map((each) => each?.bodyHash)).size, 3);
    assert.equal(new Set(keys.map((each) => each?.keyHash)).size, 1);
    assert.notEqual(rig.issued[0]?.idempotency?.keyHash, keys[0]?.keyHash);
    assert.ok(!JSON.stringify(keys).includes('482913'), 'hashes, and nothing in clear');
  });

  test('without a key nothing is kept', async () => {
    await rig.verifier.confirm(LIVE, 'ver_1', '482913');
    assert.equal(rig.guesses[0]?.idempotency, undefined);
  });

  test('the second of two at once is told that the first is in progress', async () => {
    let judge: (outcome: ConfirmOutcome) => void = () => {};
    rig.answerConfirm = () => new Promise((resolve) => (judge = resolve));
    const ask = (caller = LIVE, key = 'k') => rig.verifier.confirm(caller, 'ver_1', '482913', key);
    const first = ask();
    rig.answerConfirm = async () => ({ kind: 'unknown' });
    assert.deepEqual(await ask(), { kind: 'idempotency-in-progress' });
    judge({ kind: 'already-confirmed' });
    assert.deepEqual(await first, { kind: 'already-confirmed' });
    for (const free of [ask(), ask({ ...LIVE, accountId: 'acc_2' }), ask(LIVE, 'other')]) {
      assert.deepEqual(await free, { kind: 'unknown' });
    }
  });
});
