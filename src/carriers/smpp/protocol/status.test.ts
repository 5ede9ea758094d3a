import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isHopelessBind, isThrottled, refusal } from './status.ts';

const expected: [status: number, kind: 'temporary' | 'permanent', reason: string, throttled?: true][] = [
  [0x01, 'permanent', 'ESME_RINVMSGLEN'],
  [0x08, 'temporary', 'ESME_RSYSERR'],
  [0x0b, 'permanent', 'ESME_RINVDSTADR'],
  [0x14, 'temporary', 'ESME_RMSGQFUL', true],
  [0x45, 'temporary', 'ESME_RSUBMITFAIL'],
  [0x58, 'temporary', 'ESME_RTHROTTLED', true],
  [0x64, 'temporary', 'ESME_RX_T_APPN'],
  [0xff, 'temporary', 'ESME_RUNKNOWNERR'],
  [0x600, 'temporary', 'command_status 0x00000600'],
  [0xffff_ffff, 'temporary', 'command_status 0xffffffff'],
];
for (const [status, kind, reason, throttled] of expected) {
  it(`${reason} is ${throttled ? 'throttling' : kind}`, () => {
    const wish = throttled ? { throttled } : {};
    assert.deepEqual(refusal(status), { outcome: { kind, reason, ...wish } });
    assert.equal(isThrottled(status), throttled === true);
  });
}

/** The message is not at fault: the operator or the carrier has to change something. */
const ours: [status: number, name: string][] = [
  [0x03, 'ESME_RINVCMDID'],
  [0x07, 'ESME_RINVREGDLVFLG'],
  [0x0a, 'ESME_RINVSRCADR'],
  [0x0d, 'ESME_RBINDFAIL'],
  [0x0e, 'ESME_RINVPASWD'],
  [0x0f, 'ESME_RINVSYSID'],
  [0x15, 'ESME_RINVSERTYP'],
  [0x48, 'ESME_RINVSRCTON'],
  [0x49, 'ESME_RINVSRCNPI'],
  [0x53, 'ESME_RINVSYSTYP'],
  [0x62, 'ESME_RINVEXPIRY'],
  [0x101, 'ESME_RPROHIBITED'],
];
for (const [status, name] of ours) {
  it(`${name} is the operator's to put right`, () => {
    const { outcome, complaint } = refusal(status);
    assert.ok(outcome.kind === 'temporary' && outcome.reason.startsWith(`account or settings: ${name}, `));
    assert.equal(complaint?.level, 'error');
    assert.ok(complaint.message.startsWith(`the carrier refuses our account or settings: ${name}, `));
  });
}

it("says that a status is the SMSC's own, as of an account without credit", () => {
  const { outcome, complaint } = refusal(0x411);
  assert.deepEqual(outcome, { kind: 'temporary', reason: 'command_status 0x00000411' });
  assert.equal(complaint?.level, 'warn');
  assert.match(complaint.message, /0x00000411/);
  for (const [status, isOwn] of [
    [0x3ff, false],
    [0x400, true],
    [0x4ff, true],
    [0x500, false],
  ] as const) {
    assert.equal(refusal(status).complaint !== undefined, isOwn);
  }
});

it('knows every status of the specification by its name', () => {
  // SMPP 3.4, table 5-2, without those it reserves.
  const specified = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x11,
  ];
  specified.push(0x13, 0x14, 0x15, 0x33, 0x34, 0x40, 0x42, 0x43, 0x44, 0x45, 0x48, 0x49, 0x50, 0x51, 0x53);
  specified.push(0x54, 0x55, 0x58, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4);
  specified.push(0xfe, 0xff);
  const names = specified
    .map((status) => refusal(status).outcome)
    .map((outcome) => ('reason' in outcome ? /ESME_\w+/.exec(outcome.reason)?.[0] : undefined));
  for (const name of names) assert.match(String(name), /^ESME_/);
  assert.equal(new Set(names).size, specified.length);
});

it('never means acceptance, whatever the number', () => {
  for (let status = 1; status < 0x600; status += 1) {
    assert.match(refusal(status).outcome.kind, /^(temporary|permanent)$/);
  }
});

it('knows refusals of a bind that only a person can mend', () => {
  assert.deepEqual([0x0e, 0x0f, 0x08, 0x58].map(isHopelessBind), [true, true, false, false]);
});
