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
  [0x06, 'ESME_RINVPRTFLG'],
  [0x07, 'ESME_RINVREGDLVFLG'],
  [0x0a, 'ESME_RINVSRCADR'],
  [0x0d, 'ESME_RBINDFAIL'],
  [0x0e, 'ESME_RINVPASWD'],
  [0x0f, 'ESME_RINVSYSID'],
  [0x15, 'ESME_RINVSERTYP'],
  [0x33, 'ESME_RINVNUMDESTS'],
  [0x34, 'ESME_RINVDLNAME'],
  [0x40, 'ESME_RINVDESTFLAG'],
  [0x42, 'ESME_RINVSUBREP'],
  [0x43, 'ESME_RINVESMCLASS'],
  [0x44, 'ESME_RCNTSUBDL'],
  [0x48, 'ESME_RINVSRCTON'],
  [0x49, 'ESME_RINVSRCNPI'],
  [0x50, 'ESME_RINVDSTTON'],
  [0x51, 'ESME_RINVDSTNPI'],
  [0x53, 'ESME_RINVSYSTYP'],
  [0x54, 'ESME_RINVREPFLAG'],
  [0x61, 'ESME_RINVSCHED'],
  [0x62, 'ESME_RINVEXPIRY'],
  [0x63, 'ESME_RINVDFTMSGID'],
  [0xc0, 'ESME_RINVOPTPARSTREAM'],
  [0xc1, 'ESME_ROPTPARNOTALLWD'],
  [0xc2, 'ESME_RINVPARLEN'],
  [0xc3, 'ESME_RMISSINGOPTPARAM'],
  [0xc4, 'ESME_RINVOPTPARAMVAL'],
  [0x100, 'ESME_RSERTYPUNAUTH'],
  [0x101, 'ESME_RPROHIBITED'],
  [0x102, 'ESME_RSERTYPUNAVAIL'],
  [0x103, 'ESME_RSERTYPDENIED'],
  [0x104, 'ESME_RINVDCS'],
  [0x105, 'ESME_RINVSRCADDRSUBUNIT'],
  [0x106, 'ESME_RINVDSTADDRSUBUNIT'],
];
for (const [status, name] of ours) {
  it(`${name} is the operator's to put right`, () => {
    const { outcome, complaint } = refusal(status);
    assert.ok(outcome.kind === 'temporary' && outcome.reason.startsWith(`account or settings: ${name}, `));
    assert.equal(complaint?.level, 'error');
    assert.ok(complaint.message.startsWith(`the carrier refuses our account or settings: ${name}, `));
  });
}

it('does not hold against the health of a link what only some messages have', () => {
  const uncounted = ours
    .filter(([status]) => 'uncounted' in refusal(status).outcome)
    .map(([status]) => status);
  assert.deepEqual(uncounted, [0x43, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0x104, 0x105, 0x106]);
});

it('gives a message up only because of its number or its text', () => {
  const permanent = Array.from({ length: 0x600 }, (_, status) => status).filter(
    (status) => refusal(status).outcome.kind === 'permanent',
  );
  assert.deepEqual(permanent, [0x01, 0x0b, 0x65, 0x66]);
});

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
