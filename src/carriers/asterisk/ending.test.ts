import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { OPERATORS_FAULT } from '../../core/sending/carrier.ts';
import { judgeEnding } from './ending.ts';

const unconnected = (cause: number, status?: number, rang = false) =>
  judgeEnding({ kind: 'unconnected', cause, status, rang });

suite('the end of a call', () => {
  test('the SIP status takes precedence over the cause that Asterisk derives from it', () => {
    const rejected = unconnected(21, 603).outcome;
    const challenged = unconnected(21, 407);
    assert.deepEqual(rejected, { kind: 'permanent', reason: 'rejected (SIP 603, cause 21)' });
    assert.equal(challenged.outcome.kind, 'temporary');
    assert.equal(challenged.complaint?.level, 'error');
  });

  test('without a SIP status the cause decides', () => {
    assert.equal(unconnected(17).outcome.kind, 'temporary');
    assert.equal(unconnected(21).outcome.kind, 'permanent');
    assert.equal(unconnected(1).outcome.kind, 'permanent');
    assert.equal(unconnected(34).outcome.kind, 'temporary');
  });

  test('silence is an unanswered call only if the telephone rang', () => {
    for (const [cause, status] of [
      [19, 480],
      [18, 408],
      [19, undefined],
    ] as const) {
      assert.equal(unconnected(cause, status, true).outcome.kind, 'permanent');
      assert.equal(unconnected(cause, status, false).outcome.kind, 'temporary');
    }
    assert.equal(judgeEnding({ kind: 'unanswered', rang: true }).outcome.kind, 'permanent');
    assert.equal(judgeEnding({ kind: 'unanswered', rang: false }).outcome.kind, 'temporary');
  });

  test('a busy telephone says nothing about the carrier, and is not called again for a while', () => {
    for (const status of [480, 486, 600]) {
      const { outcome } = unconnected(0, status);
      assert.ok(
        outcome.kind === 'temporary' && outcome.uncounted === true && (outcome.retryAfterMs ?? 0) >= 10_000,
      );
    }
  });

  test('what the trunk refuses to us is for the operator to put right, and the next carrier is tried', () => {
    const refused: [cause: number, status?: number][] = [
      ...[401, 402, 403, 407, 488, 606].map((status): [number, number] => [21, status]),
      ...[428, 433, 436, 437, 438].map((status): [number, number] => [127, status]),
      ...[50, 52, 53, 57].map((cause): [number] => [cause]),
    ];
    const endings = [
      ...refused.map(([cause, status]) => unconnected(cause, status)),
      ...[400, 401, 403, 404, 500].map((status) => judgeEnding({ kind: 'refused', status })),
    ];
    for (const { outcome, complaint } of endings) {
      assert.ok(outcome.kind === 'temporary' && outcome.reason.startsWith(OPERATORS_FAULT));
      assert.equal(complaint?.level, 'error');
    }
  });

  test('what may be barred for one number only neither closes the trunk for others, nor is dialled again at once', () => {
    const barred = [
      [21, 403],
      ...[428, 433, 436, 437, 438].map((status) => [127, status]),
      [50],
      [52],
      [53],
      [57],
    ];
    for (const [cause = 0, status] of barred) {
      const { outcome } = unconnected(cause, status);
      assert.ok(
        outcome.kind === 'temporary' && outcome.uncounted === true && (outcome.retryAfterMs ?? 0) >= 10_000,
      );
    }
    assert.ok(!('uncounted' in unconnected(21, 407).outcome));
  });

  test('whoever takes no anonymous calls is named as such, and what helps', () => {
    const { outcome, complaint } = unconnected(127, 433);
    const words = 'no anonymous calls are taken; set callerId';
    assert.equal('reason' in outcome && outcome.reason, `${OPERATORS_FAULT}${words} (SIP 433, cause 127)`);
    assert.equal(complaint?.message, `the trunk fails: ${words}`);
  });

  test('a telephone that takes no calls is the number’s', () => {
    assert.deepEqual(unconnected(54).outcome, { kind: 'permanent', reason: 'call barred (cause 54)' });
  });

  test('everything else is tried again, and only a spoken code is a success', () => {
    for (let status = 300; status < 700; status++) {
      assert.notEqual(unconnected(0, status).outcome.kind, 'delivered');
      assert.notEqual(unconnected(0, status).outcome.kind, 'accepted');
    }
    for (let cause = 0; cause < 128; cause++) assert.notEqual(unconnected(cause).outcome.kind, 'delivered');
    for (const status of [500, 502, 503, 504, 580, 499, 302]) {
      assert.equal(unconnected(127, status).outcome.kind, 'temporary');
    }
  });
});
