import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isHopelessBind, isThrottled, refusal } from './status.ts';

const expected: [status: number, kind: 'temporary' | 'permanent', reason: string, throttled?: true][] = [
  [0x01, 'permanent', 'ESME_RINVMSGLEN'],
  [0x08, 'temporary', 'ESME_RSYSERR'],
  [0x0a, 'permanent', 'ESME_RINVSRCADR'],
  [0x0b, 'permanent', 'ESME_RINVDSTADR'],
  [0x14, 'temporary', 'ESME_RMSGQFUL', true],
  [0x45, 'temporary', 'ESME_RSUBMITFAIL'],
  [0x58, 'temporary', 'ESME_RTHROTTLED', true],
  [0x64, 'temporary', 'ESME_RX_T_APPN'],
  [0xff, 'temporary', 'ESME_RUNKNOWNERR'],
  [0x0411, 'temporary', 'command_status 0x00000411'],
  [0xffff_ffff, 'temporary', 'command_status 0xffffffff'],
];
for (const [status, kind, reason, throttled] of expected) {
  it(`${reason} is ${throttled ? 'throttling' : kind}`, () => {
    const wish = throttled ? { throttled } : {};
    assert.deepEqual(refusal(status), { kind, reason, ...wish });
    assert.equal(isThrottled(status), throttled === true);
  });
}

it('never means acceptance, whatever the number', () => {
  for (let status = 1; status < 0x600; status += 1) {
    assert.match(refusal(status).kind, /^(temporary|permanent)$/);
  }
});

it('knows refusals of a bind that only a person can mend', () => {
  assert.deepEqual([0x0e, 0x0f, 0x08, 0x58].map(isHopelessBind), [true, true, false, false]);
});
