/** The documented errors of a carrier, and what each means for a message. */
import { operatorsFault } from '../complaints.ts';
import { httpStatusName, isOurs } from './statuses.ts';
import type { GatewayAnswer } from './transport.ts';
import { postpone, unclear, type Verdict } from './verdict.ts';

/**
 * - `temporary`: the carrier has a problem that will pass soon.
 * - `throttled`: we are too fast for it.
 * - `permanent`: this message, or this number, will never get through.
 * - `unclear`: refused because of the number or of a setting. Not tried here again; the operator is told.
 * - `configuration`: our account, sender or settings are wrong. The message goes to another carrier, and later here
 *   again; the operator is told.
 * - `coverage`: the same, but only for this destination: its country is not enabled, or the sender is not registered
 *   there. Other messages get through, so it does not count against the carrier's health.
 */
type ErrorClass = 'temporary' | 'throttled' | 'permanent' | 'unclear' | 'configuration' | 'coverage';

/** By the carrier's own code: the class, and the meaning in our words. */
export type ErrorTable = Readonly<Record<string, readonly [errorClass: ErrorClass, meaning: string]>>;

/** Errors, separated by spaces, with the same class and meaning. */
export function alike(errorClass: ErrorClass, meaning: string, codes: string): ErrorTable {
  return Object.fromEntries(codes.split(' ').map((code) => [code, [errorClass, meaning]]));
}

/** Judges a refusal by the error that it names, or else by its status. */
export function judgeError(
  table: ErrorTable,
  code: string | undefined,
  answer: GatewayAnswer,
  now: number,
): Verdict {
  const known = code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
  // A server that fails has not judged the message, whatever it says about it.
  if (known === undefined || (answer.status >= 500 && isRefusal(known[0]))) {
    const reason = `${httpStatusName(answer.status)}${showCode(code)}`;
    const verdict = conclude(classOfStatus(answer.status), reason, answer, now);
    // An HTTP success with an error that we do not know must not go unnoticed.
    return answer.status < 300 ? { complaint: unclear(reason), ...verdict } : verdict;
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
      return { outcome: { kind: 'permanent', reason }, complaint: unclear(reason) };
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
  if (isOurs(status)) return 'configuration';
  if (status === 408 || status === 425 || status >= 500) return 'temporary';
  // A success that turns out to be a refusal for an unknown reason: a late code is better than none.
  return status < 300 ? 'temporary' : 'unclear';
}

/** Unknown codes are shown only if they are short numbers or names: carriers repeat numbers and texts in their answers. */
function showCode(code: string | undefined): string {
  return code !== undefined && /^(\d{1,5}|[A-Za-z][A-Za-z_]{0,59})$/.test(code) ? `, error ${code}` : '';
}
