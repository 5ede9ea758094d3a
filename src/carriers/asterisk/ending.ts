/** How a call can end, and what each end means for the message. */
import type { Outcome } from '../../core/sending/carrier.ts';
import { type Complaint, operatorsFault } from '../complaints.ts';

export type Ending =
  /** Somebody answered and heard the whole code. */
  | { readonly kind: 'spoken' }
  /** It ended by itself before anybody answered. `status` is SIP's, `cause` Q.850's. */
  | {
      readonly kind: 'unconnected';
      readonly cause: number;
      readonly status: number | undefined;
      readonly rang: boolean;
    }
  /** Nobody answered within the time that it may ring. */
  | { readonly kind: 'unanswered'; readonly rang: boolean }
  | { readonly kind: 'hung up early' }
  /** Asterisk could not play a character of the code. */
  | { readonly kind: 'unplayable' }
  /** Asterisk refused the call. */
  | { readonly kind: 'refused'; readonly status: number }
  /** Unknown: the link broke, Asterisk died, or the time was up. */
  | { readonly kind: 'lost'; readonly reason: string };

/** How a call ended that was not to be answered, and what was known of the telephone until then. */
export interface MissedCall {
  readonly ending:
    | Exclude<Ending, { readonly kind: 'spoken' | 'unplayable' | 'hung up early' }>
    | { readonly kind: 'answered' };
  readonly signs: 'ringing' | 'early media' | 'none';
}

export interface Judgement {
  readonly outcome: Outcome;
  readonly complaint?: Complaint;
}

/**
 * - `callee`: the telephone cannot take a call now. Tried again, but only after a wait.
 * - `person`: the person declined, or is not there. Ringing again every few seconds would be harassment: permanent.
 * - `number`: nobody has this number, or it takes no calls. Permanent.
 * - `carrier`: the carrier cannot connect the call. The next carrier at once, this one again later; counts against its
 *   health.
 * - `account`: the same as `carrier`, and the operator is told.
 * - `barred`: the network does not let us make this call: because of our subscription, permission or caller ID, or because of the number
 *   (RFC 3398, section 7.2.4.1, has one SIP status for all). The operator is told, as with `account`; but other numbers may get
 *   through, so it does not count against the health, and is tried again only after a wait.
 */
type Meaning = 'callee' | 'person' | 'number' | 'carrier' | 'account' | 'barred';

/** SIP statuses (RFC 3261, section 21) say more than the causes that Asterisk derives from them, so they take precedence: 127 may be any. */
const STATUSES: Readonly<Record<number, readonly [words: string, meaning: Meaning]>> = {
  401: ['credentials refused', 'account'],
  402: ['payment required', 'account'],
  403: ['forbidden to us: permission, caller ID, or this number', 'barred'],
  404: ['unknown number', 'number'],
  407: ['credentials refused', 'account'],
  408: ['no response', 'carrier'],
  410: ['number gone', 'number'],
  // RFC 8224, section 6.2.2: who we are is not signed, or not as the other side wants it (STIR/SHAKEN).
  428: ['the caller ID is not signed', 'barred'],
  // RFC 5079. Without callerId, calls are anonymous.
  433: ['no anonymous calls are taken; set callerId', 'barred'],
  436: ['the signature of the caller ID is not found', 'barred'],
  437: ['the signature of the caller ID is not trusted', 'barred'],
  438: ['the signature of the caller ID is not valid', 'barred'],
  480: ['unreachable', 'callee'],
  484: ['number incomplete', 'number'],
  486: ['busy', 'callee'],
  488: ['no codec in common', 'account'],
  600: ['busy', 'callee'],
  603: ['rejected', 'person'],
  604: ['unknown number', 'number'],
  606: ['no codec in common', 'account'],
  607: ['unwanted', 'person'],
  608: ['rejected', 'person'],
};

/** Q.850 causes, used if there is no SIP status. */
const CAUSES: Readonly<Record<number, readonly [words: string, meaning: Meaning]>> = {
  1: ['unknown number', 'number'],
  17: ['busy', 'callee'],
  18: ['no response', 'carrier'],
  19: ['no answer', 'carrier'],
  20: ['unreachable', 'callee'],
  21: ['rejected', 'person'],
  22: ['number changed', 'number'],
  27: ['out of order', 'callee'],
  28: ['number incomplete', 'number'],
  50: ['facility not subscribed', 'barred'],
  // 52 is Asterisk's name for what Q.850 has as 53.
  52: ['outgoing calls barred', 'barred'],
  53: ['outgoing calls barred', 'barred'],
  54: ['call barred', 'number'],
  57: ['bearer capability not authorised', 'barred'],
};

/** What a network reports when it gives up ringing. If the telephone has not rung, the same codes mean something else. */
const GAVE_UP_RINGING = { statuses: [408, 480, 487], causes: [18, 19] };

/** A busy line is rarely free within seconds, and a second attempt does not disturb anyone. */
const CALLEE_WAIT_MS = 30_000;

export function judgeEnding(ending: Ending): Judgement {
  switch (ending.kind) {
    case 'spoken':
      return { outcome: { kind: 'delivered' } };
    case 'unconnected':
      return judgeUnconnected(ending);
    case 'unanswered':
      // A dead trunk is as silent as a person who is away. Only ringing tells them apart.
      return mean(ending.rang ? 'person' : 'carrier', ending.rang ? 'no answer' : 'no response');
    case 'hung up early':
      return mean('person', 'hung up before the code was said');
    case 'unplayable':
      return {
        outcome: { kind: 'temporary', reason: 'a sound could not be played' },
        complaint: {
          level: 'error',
          message: 'Asterisk cannot play a sound; check its log and its access to speech.folder',
        },
      };
    case 'refused':
      return judgeRefused(ending.status);
    case 'lost':
      // One incident, however many calls it ends. Counting each call would block the carrier for longer than the
      // incident lasts.
      return { outcome: { kind: 'temporary', reason: ending.reason, uncounted: true } };
  }
}

/**
 * A telephone that rings shows the number, so that the call has arrived, however it ends then: nobody answered, or somebody did, or declined.
 * After early media it may have, or an announcement was played: the carrier took it, and more is not known. What is answered before anything
 * rang is a mailbox or a machine.
 */
export function judgeMissedCall({ ending, signs }: MissedCall): Judgement {
  const seen: Judgement | undefined =
    signs === 'none' ? undefined : { outcome: { kind: signs === 'ringing' ? 'delivered' : 'accepted' } };
  switch (ending.kind) {
    case 'answered':
      return seen ?? mean('person', 'answered before it rang, by a mailbox or a machine');
    case 'unconnected':
      return (isAtTelephone(ending) ? seen : undefined) ?? judgeUnconnected(ending);
    case 'refused':
      return judgeEnding(ending);
    case 'unanswered':
    case 'lost':
      return seen ?? judgeEnding(ending);
  }
}

type Unconnected = Extract<Ending, { readonly kind: 'unconnected' }>;

/** Whether the telephone, or the person, ended it: anything else that ends a ringing call did not come so far. */
function isAtTelephone(ending: Unconnected): boolean {
  const { cause, status } = ending;
  if (gaveUpRinging(ending)) return true;
  const [, meaning] = (status === undefined ? CAUSES[cause] : STATUSES[status]) ?? [];
  return meaning === 'person' || meaning === 'callee';
}

function gaveUpRinging({ cause, status, rang }: Unconnected): boolean {
  const { statuses, causes } = GAVE_UP_RINGING;
  return rang && (status === undefined ? causes.includes(cause) : statuses.includes(status));
}

function judgeUnconnected(ending: Unconnected): Judgement {
  const { cause, status } = ending;
  const numbers = `${status === undefined ? '' : `SIP ${status}, `}cause ${cause}`;
  if (gaveUpRinging(ending)) return mean('person', `no answer (${numbers})`);
  const known = status === undefined ? CAUSES[cause] : STATUSES[status];
  // An unlisted code says nothing about the number: another carrier, or a later attempt, may succeed.
  const [words, meaning] = known ?? ['call failed', 'carrier'];
  return mean(meaning, `${words} (${numbers})`, words);
}

function judgeRefused(status: number): Judgement {
  const reason = `Asterisk answered ${status}`;
  if (status === 401 || status === 403) {
    return mean('account', reason, 'Asterisk refuses the user or the password, or the user may only read');
  }
  return mean('account', reason, 'Asterisk refused the call; countersign doctor may say why');
}

function mean(meaning: Meaning, reason: string, complaint = reason): Judgement {
  switch (meaning) {
    case 'callee':
      return { outcome: { kind: 'temporary', reason, uncounted: true, retryAfterMs: CALLEE_WAIT_MS } };
    case 'person':
    case 'number':
      return { outcome: { kind: 'permanent', reason } };
    case 'carrier':
      return { outcome: { kind: 'temporary', reason } };
    case 'account':
    case 'barred': {
      const fault = operatorsFault(reason).reason;
      return {
        outcome: {
          kind: 'temporary',
          reason: fault,
          ...(meaning === 'barred' && { uncounted: true, retryAfterMs: CALLEE_WAIT_MS }),
        },
        complaint: { level: 'error', message: `the trunk fails: ${complaint}` },
      };
    }
  }
}
