/** command_status: its names, and what each means for a message (SMPP 3.4, section 5.1.3). */
import type { Outcome } from '../../../core/sending/carrier.ts';
import { type Complaint, operatorsFault } from '../../complaints.ts';

export const STATUS = {
  ok: 0x00,
  invalidCommandLength: 0x02,
  invalidCommandId: 0x03,
  invalidBindStatus: 0x04,
  unknownError: 0xff,
  /** Our answer to a deliver_sm that could not be stored: send it again. */
  receiverTemporary: 0x64,
  /** Our answer to a deliver_sm that cannot be read: do not send it again. */
  receiverPermanent: 0x65,
} as const;

/** Which of our settings is refused, in words for the operator. `inSome`: only some messages have it; the others get through. */
interface Ours {
  readonly ours: string;
  readonly inSome?: true;
}

type Meaning = 'temporary' | 'throttled' | 'permanent' | Ours;

const UNKNOWN_SERVICE: Ours = { ours: 'the service type (serviceType)' };
const UNKNOWN_SENDER: Ours = { ours: 'the sender (source, sourceTon, sourceNpi)' };
const UNKNOWN_ACCOUNT: Ours = { ours: 'the account (systemId, password, systemType)' };
const FORBIDDEN: Ours = { ours: 'permission to send' };
/** Each message has them alike, and no option changes them. */
const ONE_NUMBER: Ours = { ours: 'a message to one number' };
const NUMBER_TYPE: Ours = { ours: 'international numbers (TON 1, NPI 1)' };
const NO_REPLACEMENT: Ours = { ours: 'the default replace_if_present_flag' };
/** They depend on the country, on the language, and on how long the text is. */
const PARAMETERS: Ours = { ours: 'the optional parameters (tlvs, registrationTags, long)', inSome: true };

/**
 * Permanent: the same message would fail again because of its number or its text. Ours: whatever its number and its words.
 * Temporary: about the link or the SMSC's state, and every unlisted status, because a vendor's own status is no reason
 * to give up a code. From 256 on the statuses are from SMPP 5.0.
 */
const STATUSES: Readonly<Record<number, readonly [name: string, meaning: Meaning]>> = {
  1: ['ESME_RINVMSGLEN', 'permanent'],
  2: ['ESME_RINVCMDLEN', 'temporary'],
  3: ['ESME_RINVCMDID', FORBIDDEN],
  4: ['ESME_RINVBNDSTS', 'temporary'],
  5: ['ESME_RALYBND', 'temporary'],
  6: ['ESME_RINVPRTFLG', { ours: 'the default priority' }],
  7: ['ESME_RINVREGDLVFLG', { ours: 'the request for receipts (receipts)' }],
  8: ['ESME_RSYSERR', 'temporary'],
  10: ['ESME_RINVSRCADR', UNKNOWN_SENDER],
  11: ['ESME_RINVDSTADR', 'permanent'],
  12: ['ESME_RINVMSGID', 'temporary'],
  13: ['ESME_RBINDFAIL', UNKNOWN_ACCOUNT],
  14: ['ESME_RINVPASWD', UNKNOWN_ACCOUNT],
  15: ['ESME_RINVSYSID', UNKNOWN_ACCOUNT],
  17: ['ESME_RCANCELFAIL', 'temporary'],
  19: ['ESME_RREPLACEFAIL', 'temporary'],
  20: ['ESME_RMSGQFUL', 'throttled'],
  21: ['ESME_RINVSERTYP', UNKNOWN_SERVICE],
  51: ['ESME_RINVNUMDESTS', ONE_NUMBER],
  52: ['ESME_RINVDLNAME', ONE_NUMBER],
  64: ['ESME_RINVDESTFLAG', ONE_NUMBER],
  66: ['ESME_RINVSUBREP', NO_REPLACEMENT],
  67: ['ESME_RINVESMCLASS', { ours: 'the parts of long texts (long)', inSome: true }],
  68: ['ESME_RCNTSUBDL', ONE_NUMBER],
  69: ['ESME_RSUBMITFAIL', 'temporary'],
  72: ['ESME_RINVSRCTON', UNKNOWN_SENDER],
  73: ['ESME_RINVSRCNPI', UNKNOWN_SENDER],
  80: ['ESME_RINVDSTTON', NUMBER_TYPE],
  81: ['ESME_RINVDSTNPI', NUMBER_TYPE],
  83: ['ESME_RINVSYSTYP', UNKNOWN_ACCOUNT],
  84: ['ESME_RINVREPFLAG', NO_REPLACEMENT],
  85: ['ESME_RINVNUMMSGS', 'temporary'],
  88: ['ESME_RTHROTTLED', 'throttled'],
  97: ['ESME_RINVSCHED', { ours: 'the default schedule' }],
  98: ['ESME_RINVEXPIRY', { ours: 'the validity period (validity)' }],
  99: ['ESME_RINVDFTMSGID', { ours: 'the default sm_default_msg_id' }],
  100: ['ESME_RX_T_APPN', 'temporary'],
  101: ['ESME_RX_P_APPN', 'permanent'],
  102: ['ESME_RX_R_APPN', 'permanent'],
  103: ['ESME_RQUERYFAIL', 'temporary'],
  192: ['ESME_RINVOPTPARSTREAM', PARAMETERS],
  193: ['ESME_ROPTPARNOTALLWD', PARAMETERS],
  194: ['ESME_RINVPARLEN', PARAMETERS],
  195: ['ESME_RMISSINGOPTPARAM', PARAMETERS],
  196: ['ESME_RINVOPTPARAMVAL', PARAMETERS],
  254: ['ESME_RDELIVERYFAILURE', 'temporary'],
  255: ['ESME_RUNKNOWNERR', 'temporary'],
  256: ['ESME_RSERTYPUNAUTH', UNKNOWN_SERVICE],
  257: ['ESME_RPROHIBITED', FORBIDDEN],
  258: ['ESME_RSERTYPUNAVAIL', UNKNOWN_SERVICE],
  259: ['ESME_RSERTYPDENIED', UNKNOWN_SERVICE],
  260: ['ESME_RINVDCS', { ours: 'the data_coding (dataCoding)', inSome: true }],
  261: ['ESME_RINVSRCADDRSUBUNIT', PARAMETERS],
  262: ['ESME_RINVDSTADDRSUBUNIT', PARAMETERS],
};

/** Reserved for vendor-specific errors, such as an account without credit. */
const VENDORS = { from: 0x400, to: 0x4ff };

export function commandStatusName(status: number): string {
  return STATUSES[status]?.[0] ?? `command_status 0x${status.toString(16).padStart(8, '0')}`;
}

export function isThrottled(status: number): boolean {
  return STATUSES[status]?.[1] === 'throttled';
}

/** Whether only a person can fix a refusal of a bind: wrong credentials, or too many links. */
export function isHopelessBind(status: number): boolean {
  return STATUSES[status]?.[1] === UNKNOWN_ACCOUNT;
}

interface Refusal {
  readonly outcome: Outcome;
  readonly complaint?: Complaint;
}

/** What a submit_sm_resp with a status other than 0 means for the message, and what the operator is told. */
export function refusal(status: number): Refusal {
  const reason = commandStatusName(status);
  const meaning = STATUSES[status]?.[1] ?? 'temporary';
  if (typeof meaning === 'object') {
    const { reason: fault, complaint } = operatorsFault(`${reason}, ${meaning.ours}`);
    return {
      outcome: { kind: 'temporary', reason: fault, ...(meaning.inSome && { uncounted: true }) },
      complaint,
    };
  }
  // No time to wait is given: the link has already slowed down, and some SMSCs throttle only one number.
  if (meaning === 'throttled') return { outcome: { kind: 'temporary', reason, throttled: true } };
  const outcome = { kind: meaning, reason };
  if (status < VENDORS.from || status > VENDORS.to) return { outcome };
  const message = `the SMSC refuses messages with a vendor-specific status, ${reason}; its manual explains it`;
  return { outcome, complaint: { level: 'warn', message } };
}
