/** command_status: what it is called and what it means for a message (SMPP 3.4, section 5.1.3). */
import type { Outcome } from '../../core/carrier.ts';

export const STATUS = {
  ok: 0x00,
  invalidCommandLength: 0x02,
  invalidCommandId: 0x03,
  unknownError: 0xff,
  /** Ours to a deliver_sm that could not be kept: send it again. */
  receiverTemporary: 0x64,
  /** Ours to a deliver_sm that cannot be read: do not send it again. */
  receiverPermanent: 0x65,
} as const;

type Meaning = 'temporary' | 'throttled' | 'permanent';

/**
 * Permanent is what the same message would meet again. What speaks of the link or of the SMSC's state is temporary,
 * and so is every status not listed: a vendor's own number is no reason to give a code up.
 */
const STATUSES: Readonly<Record<number, readonly [name: string, meaning: Meaning]>> = {
  1: ['ESME_RINVMSGLEN', 'permanent'],
  2: ['ESME_RINVCMDLEN', 'temporary'],
  3: ['ESME_RINVCMDID', 'temporary'],
  4: ['ESME_RINVBNDSTS', 'temporary'],
  5: ['ESME_RALYBND', 'temporary'],
  6: ['ESME_RINVPRTFLG', 'permanent'],
  7: ['ESME_RINVREGDLVFLG', 'permanent'],
  8: ['ESME_RSYSERR', 'temporary'],
  10: ['ESME_RINVSRCADR', 'permanent'],
  11: ['ESME_RINVDSTADR', 'permanent'],
  12: ['ESME_RINVMSGID', 'temporary'],
  13: ['ESME_RBINDFAIL', 'temporary'],
  14: ['ESME_RINVPASWD', 'temporary'],
  15: ['ESME_RINVSYSID', 'temporary'],
  20: ['ESME_RMSGQFUL', 'throttled'],
  21: ['ESME_RINVSERTYP', 'permanent'],
  51: ['ESME_RINVNUMDESTS', 'permanent'],
  64: ['ESME_RINVDESTFLAG', 'permanent'],
  66: ['ESME_RINVSUBREP', 'permanent'],
  67: ['ESME_RINVESMCLASS', 'permanent'],
  68: ['ESME_RCNTSUBDL', 'permanent'],
  69: ['ESME_RSUBMITFAIL', 'temporary'],
  72: ['ESME_RINVSRCTON', 'permanent'],
  73: ['ESME_RINVSRCNPI', 'permanent'],
  80: ['ESME_RINVDSTTON', 'permanent'],
  81: ['ESME_RINVDSTNPI', 'permanent'],
  83: ['ESME_RINVSYSTYP', 'temporary'],
  84: ['ESME_RINVREPFLAG', 'permanent'],
  88: ['ESME_RTHROTTLED', 'throttled'],
  97: ['ESME_RINVSCHED', 'permanent'],
  98: ['ESME_RINVEXPIRY', 'permanent'],
  99: ['ESME_RINVDFTMSGID', 'permanent'],
  100: ['ESME_RX_T_APPN', 'temporary'],
  101: ['ESME_RX_P_APPN', 'permanent'],
  102: ['ESME_RX_R_APPN', 'permanent'],
  192: ['ESME_RINVOPTPARSTREAM', 'permanent'],
  193: ['ESME_ROPTPARNOTALLWD', 'permanent'],
  194: ['ESME_RINVPARLEN', 'permanent'],
  195: ['ESME_RMISSINGOPTPARAM', 'permanent'],
  196: ['ESME_RINVOPTPARAMVAL', 'permanent'],
  254: ['ESME_RDELIVERYFAILURE', 'temporary'],
  255: ['ESME_RUNKNOWNERR', 'temporary'],
};

/** Refusals of a bind that only a person can mend: wrong credentials, or too many links. */
const HOPELESS_BINDS: ReadonlySet<number> = new Set([0x0d, 0x0e, 0x0f, 0x53]);

export function statusName(status: number): string {
  return STATUSES[status]?.[0] ?? `command_status 0x${status.toString(16).padStart(8, '0')}`;
}

export function isThrottled(status: number): boolean {
  return STATUSES[status]?.[1] === 'throttled';
}

export function isHopelessBind(status: number): boolean {
  return HOPELESS_BINDS.has(status);
}

/** What a submit_sm_resp with a status other than 0 says of the message. */
export function refusal(status: number): Outcome {
  const reason = statusName(status);
  switch (STATUSES[status]?.[1]) {
    case 'permanent':
      return { kind: 'permanent', reason };
    case 'throttled':
      // Without a time to wait: the link has slowed itself, and some SMSCs throttle one number and mean only that.
      return { kind: 'temporary', reason, throttled: true };
    default:
      return { kind: 'temporary', reason };
  }
}
