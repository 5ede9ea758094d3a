/** The documented errors of a carrier, and what follows from each. */
import type { Answer } from './transport.ts';
import { postpone, type Verdict } from './verdict.ts';

/**
 * - `temporary`: the carrier's trouble, over soon.
 * - `throttled`: we are too fast for it.
 * - `permanent`: this message, or this number, will never pass.
 * - `configuration`: our account, our sender or our settings there. The message is not at fault, so it goes to another
 *   carrier and later here again; the operator is told.
 */
type ErrorClass = 'temporary' | 'throttled' | 'permanent' | 'configuration';

/** By the carrier's own number or name: the class, and what it means in our words. */
export type ErrorTable = Readonly<Record<string, readonly [errorClass: ErrorClass, meaning: string]>>;

/** Judges an answer that is no acceptance, by the error that it names, or else by its status. */
export function judgeError(
  table: ErrorTable,
  code: string | undefined,
  answer: Answer,
  now: number,
): Verdict {
  const known = code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
  // A server that fails has not judged the message, whatever it says of it.
  if (known === undefined || (answer.status >= 500 && known[0] === 'permanent')) {
    return conclude(classOfStatus(answer.status), `HTTP ${answer.status}${showCode(code)}`, answer, now);
  }
  const [errorClass, meaning] = known;
  return conclude(errorClass, `${code} ${meaning}`, answer, now);
}

function conclude(errorClass: ErrorClass, reason: string, answer: Answer, now: number): Verdict {
  switch (errorClass) {
    case 'permanent':
      return { outcome: { kind: 'permanent', reason }, ...complainOfRedirect(answer) };
    case 'configuration':
      return {
        outcome: postpone(answer, now, reason),
        complaint: { level: 'error', message: `the carrier refuses our account or settings: ${reason}` },
      };
    default:
      return { outcome: postpone(answer, now, reason, errorClass === 'throttled') };
  }
}

function classOfStatus(status: number): ErrorClass {
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'configuration';
  if (status === 408 || status === 425 || status >= 500) return 'temporary';
  // A success that turns out to be none: not knowing why, a code sent late is better than one given up.
  return status < 300 ? 'temporary' : 'permanent';
}

function complainOfRedirect({ status }: Answer): Pick<Verdict, 'complaint'> {
  if (status < 300 || status >= 400) return {};
  return { complaint: { level: 'error', message: 'the carrier redirects; set url to where it leads' } };
}

/** Nothing but a short number or a name is shown of what we do not know: carriers repeat numbers and texts in answers. */
function showCode(code: string | undefined): string {
  return code !== undefined && /^(\d{1,5}|[A-Za-z][A-Za-z_]{0,59})$/.test(code) ? `, error ${code}` : '';
}
