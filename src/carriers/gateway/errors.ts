/** The documented errors of a carrier, and what follows from each. */
import { type Complaint, operatorsFault } from '../complaints.ts';
import type { GatewayAnswer } from './transport.ts';
import { postpone, type Verdict } from './verdict.ts';

/**
 * - `temporary`: the carrier's trouble, over soon.
 * - `throttled`: we are too fast for it.
 * - `permanent`: this message, or this number, will never pass.
 * - `unclear`: refused, and it may be the number or a setting. Not tried here again, and the operator is told.
 * - `configuration`: our account, our sender or our settings there. The message is not at fault, so it goes to another
 *   carrier and later here again; the operator is told.
 * - `coverage`: the same, but only on the way to this destination: a country that is not enabled, a sender that is not
 *   registered there. Messages to others pass, so it does not count against the carrier's health.
 */
type ErrorClass = 'temporary' | 'throttled' | 'permanent' | 'unclear' | 'configuration' | 'coverage';

/** By the carrier's own number or name: the class, and what it means in our words. */
export type ErrorTable = Readonly<Record<string, readonly [errorClass: ErrorClass, meaning: string]>>;

/** Errors, separated by blanks, that have one class and one meaning. */
export function alike(errorClass: ErrorClass, meaning: string, codes: string): ErrorTable {
  return Object.fromEntries(codes.split(' ').map((code) => [code, [errorClass, meaning]]));
}

/** Judges an answer that is no acceptance, by the error that it names, or else by its status. */
export function judgeError(
  table: ErrorTable,
  code: string | undefined,
  answer: GatewayAnswer,
  now: number,
): Verdict {
  const known = code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
  // A server that fails has not judged the message, whatever it says of it.
  if (known === undefined || (answer.status >= 500 && isRefusal(known[0]))) {
    const reason = `HTTP ${answer.status}${showCode(code)}`;
    const verdict = conclude(classOfStatus(answer.status), reason, answer, now);
    // A success of HTTP that is none, with an error in it that we do not know, is nothing to be silent about.
    return answer.status < 300 ? { complaint: complainOf(reason, answer), ...verdict } : verdict;
  }
  const [errorClass, meaning] = known;
  return conclude(errorClass, `${code} ${meaning}`, answer, now);
}

function isRefusal(errorClass: ErrorClass): boolean {
  return errorClass === 'permanent' || errorClass === 'unclear';
}

function conclude(errorClass: ErrorClass, reason: string, answer: GatewayAnswer, now: number): Verdict {
  switch (errorClass) {
    case 'permanent':
      return { outcome: { kind: 'permanent', reason } };
    case 'unclear':
      return { outcome: { kind: 'permanent', reason }, complaint: complainOf(reason, answer) };
    case 'configuration':
    case 'coverage': {
      const fault = operatorsFault(reason);
      return {
        outcome: {
          ...postpone(answer, now, fault.reason),
          ...(errorClass === 'coverage' && { uncounted: true }),
        },
        complaint: fault.complaint,
      };
    }
    case 'throttled':
    case 'temporary':
      return { outcome: postpone(answer, now, reason, errorClass === 'throttled') };
  }
}

function classOfStatus(status: number): ErrorClass {
  if (status === 429) return 'throttled';
  if ([401, 402, 403, 404].includes(status)) return 'configuration';
  if (status === 408 || status === 425 || status >= 500) return 'temporary';
  // A success that turns out to be none: not knowing why, a code sent late is better than one given up.
  return status < 300 ? 'temporary' : 'unclear';
}

function complainOf(reason: string, { status }: GatewayAnswer): Complaint {
  return status >= 300 && status < 400
    ? { level: 'error', message: 'the carrier redirects; set url to where it leads' }
    : { level: 'warn', message: `the carrier refused a message, because of it or of a setting: ${reason}` };
}

/** Nothing but a short number or a name is shown of what we do not know: carriers repeat numbers and texts in answers. */
function showCode(code: string | undefined): string {
  return code !== undefined && /^(\d{1,5}|[A-Za-z][A-Za-z_]{0,59})$/.test(code) ? `, error ${code}` : '';
}
