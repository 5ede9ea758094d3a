import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { StoreUnavailable } from '../errors/store-failure.ts';
import { Keyring } from '../secrets/keyring.ts';
import { sealField } from '../secrets/sealed-field.ts';
import { createVerifierRig, LIVE, NUMBER, TEST, type VerifierRig } from './fixture.ts';
import { hashIdempotencyKey, idempotencyOf } from './idempotency.ts';
import type { IssueOutcome } from './verification.ts';

let rig: VerifierRig;
suite('idempotency', () => {
  beforeEach(() => {
    rig = createVerifierRig();
  });

  test('a replay is answered with the first, and hands nothing over', async () => {
    const destinationSealed = sealField(rig.keyring, NUMBER, 'ver_first', 'destination');
    rig.answerIssue = async () => ({ kind: 'replayed', id: 'ver_first', destinationSealed, channel: 'sms' });
    assert.deepEqual(await rig.ask(NUMBER, LIVE, 'k'), {
      kind: 'issued',
      id: 'ver_first',
      destination: NUMBER,
      channel: 'sms',
    });
    assert.deepEqual([rig.handedOver, rig.told], [[], []]);
  });

  test('the second of two at once is told that the first is in progress', async () => {
    let write: (outcome: IssueOutcome) => void = () => {};
    rig.answerIssue = () => new Promise((resolve) => (write = resolve));
    const first = rig.ask(NUMBER, LIVE, 'k');
    rig.answerIssue = async () => ({ kind: 'issued' });
    assert.deepEqual(await rig.ask(NUMBER, LIVE, 'k'), { kind: 'idempotency-in-progress' });
    write({ kind: 'issued' });
    assert.equal((await first).kind, 'issued');
    assert.equal((await rig.ask(NUMBER, LIVE, 'k')).kind, 'issued');
    assert.equal(rig.issued.length, 2);
  });

  test('other keys and other accounts are not in progress', async () => {
    const first = rig.ask(NUMBER, LIVE, 'k');
    const others = [
      rig.ask(NUMBER, LIVE, 'other'),
      rig.ask(NUMBER, { ...LIVE, accountId: 'acc_2' }, 'k'),
      rig.ask(),
      rig.ask(),
    ];
    for (const answer of await Promise.all([first, ...others])) assert.equal(answer.kind, 'issued');
  });

  test('a key is free again when its request failed', async () => {
    rig.answerIssue = () => Promise.reject(new StoreUnavailable('full'));
    await assert.rejects(rig.ask(NUMBER, LIVE, 'k'));
    rig.answerIssue = async () => ({ kind: 'issued' });
    assert.equal((await rig.ask(NUMBER, LIVE, 'k')).kind, 'issued');
  });

  test('the same body has the same hash however the number is spelled, another channel another', async () => {
    await rig.ask(NUMBER, LIVE, 'k');
    await rig.ask('+49 (151) 123 456 78', LIVE, 'k');
    await rig.verifier.request(LIVE, { destination: NUMBER, channel: 'voice', idempotencyKey: 'k' });
    const [first, second, third] = rig.issued.map(({ idempotency }) => idempotency);
    assert.deepEqual(first, second);
    assert.equal(first?.keyHash, third?.keyHash);
    assert.notEqual(first?.bodyHash, third?.bodyHash);
  });

  test('one string that a live key and a test key use is two keys, and two bodies', async () => {
    await rig.ask(NUMBER, LIVE, 'k');
    await rig.ask(NUMBER, TEST, 'k');
    for (const caller of [LIVE, TEST]) await rig.verifier.confirm(caller, 'ver_1', '482913', 'k');
    const requests = rig.issued.map(({ idempotency }) => idempotency);
    const guesses = rig.guesses.map(({ idempotency }) => idempotency);
    assert.equal(new Set([...requests, ...guesses].map((each) => each?.keyHash)).size, 4);
    assert.equal(new Set(requests.map((each) => each?.bodyHash)).size, 2);
  });

  test('neither waits for the other', async () => {
    const live = rig.ask(NUMBER, LIVE, 'k');
    assert.equal((await rig.ask(NUMBER, TEST, 'k')).kind, 'issued');
    assert.equal((await live).kind, 'issued');
  });

  test('a key is taken as the version before took it; one of a test key is at least looked for there', () => {
    const keyring = new Keyring(
      'a secret for these tests only, yes',
      'the secret before, long enough for all',
    );
    const [key, body] = [keyring.idempotencyHash('k'), keyring.idempotencyHash('body')];
    const before = idempotencyOf(key, body);
    assert.deepEqual(idempotencyOf(hashIdempotencyKey(keyring, LIVE, 'k'), body), before);
    const { earlier = [], ...now } = idempotencyOf(hashIdempotencyKey(keyring, TEST, 'k'), body);
    assert.notEqual(now.keyHash, before.keyHash);
    assert.deepEqual(earlier.slice(-2), [
      { keyHash: before.keyHash, bodyHash: before.bodyHash },
      ...(before.earlier ?? []),
    ]);
  });

  test('the hash of a key under the previous secret stands with that of the body', () => {
    const [old, fresh] = ['the old secret, long enough for all', 'the new secret, long enough for all'];
    const hashes = (keyring: Keyring) =>
      [keyring.idempotencyHash('k'), keyring.idempotencyHash('body')] as const;
    const before = idempotencyOf(...hashes(new Keyring(old)));
    const during = idempotencyOf(...hashes(new Keyring(fresh, old)));
    const after = idempotencyOf(...hashes(new Keyring(fresh)));
    const { keyHash, bodyHash } = before;
    assert.deepEqual(during, {
      keyHash: after.keyHash,
      bodyHash: after.bodyHash,
      earlier: [{ keyHash, bodyHash }],
    });
    assert.notEqual(after.keyHash + after.bodyHash, keyHash + bodyHash);
  });

  test('an extension is another body, though the same telephone rings', async () => {
    for (const destination of [NUMBER, `tel:${NUMBER};ext=1`, `tel:${NUMBER};ext=2`]) {
      await rig.verifier.request(LIVE, { destination, channel: 'voice', idempotencyKey: 'k' });
    }
    assert.equal(new Set(rig.issued.map(({ idempotency }) => idempotency?.bodyHash)).size, 3);
    assert.equal(new Set(rig.issued.map(({ destinationHash }) => destinationHash)).size, 1);
  });
});
