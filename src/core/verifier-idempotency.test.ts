import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { StoreUnavailable } from './errors.ts';
import { createVerifierRig, LIVE, NUMBER, type VerifierRig } from './fixture.ts';
import type { IssueOutcome } from './verification.ts';

let rig: VerifierRig;
beforeEach(() => {
  rig = createVerifierRig();
});

suite('idempotency', () => {
  test('a replay is answered with the first, and hands nothing over', async () => {
    const destinationSealed = rig.keyring.seal(NUMBER, 'ver_first');
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
    assert.deepEqual(await rig.ask(NUMBER, LIVE, 'k'), { kind: 'idempotency-in-progress' });
    write({ kind: 'issued' });
    assert.equal((await first).kind, 'issued');
    rig.answerIssue = async () => ({ kind: 'issued' });
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
});
