/** Decides from a gateway's answer what happened to a message. */
import { operatorsFault } from '../complaints.ts';
import { errorNameAt, parseAnswer, textAt } from '../gateway/json-answer.ts';
import { httpStatusName, isOurs, mayBeOfOneNumber } from '../gateway/statuses.ts';
import type { GatewayAnswer } from '../gateway/transport.ts';
import { accept, type Judge, postpone, unclear, type Verdict } from '../gateway/verdict.ts';
import type { HttpOptions } from './options.ts';
import { compileStatuses } from './statuses.ts';

/**
 * Reasons name only the status, and the name of an error that `reason` leads to: gateways repeat numbers and texts in their answers.
 * @throws Error that names the wrong option
 */
export function createJudge(options: HttpOptions, receiptFollows = false): Judge {
  const accepted = compileStatuses('accepted', options.accepted);
  const temporary = compileStatuses('temporary', options.temporary);
  const permanent = compileStatuses('permanent', options.permanent);
  if (Array.from({ length: 100 }, (_, i) => 500 + i).some(accepted)) {
    throw new Error('accepted: a 5xx means that the gateway failed, never success');
  }
  if (options.permanentWhen && !options.acceptedWhen) throw new Error('permanentWhen: needs acceptedWhen');

  return (answer, now, ownReference) => {
    const { status } = answer;
    const isListed = permanent(status);
    if (!isListed && accepted(status)) return judgeBody(options, answer, receiptFollows, ownReference);
    // Who lists as permanent what may be so for one number knows that the gateway means the number.
    const isFault = isOurs(status) && !(isListed && mayBeOfOneNumber(status));
    const named = nameError(options, answer, httpStatusName(status));
    const { reason, complaint } = isFault ? operatorsFault(named) : { reason: named, complaint: undefined };
    if (!isListed && temporary(status)) {
      const outcome = {
        ...postpone(answer, now, reason),
        ...(mayBeOfOneNumber(status) && { uncounted: true }),
      };
      return { outcome, ...(complaint && { complaint }) };
    }
    const told = complaint ?? (isListed ? undefined : unclear(named));
    return { outcome: { kind: 'permanent', reason }, ...(told && { complaint: told }) };
  };
}

function judgeBody(
  options: HttpOptions,
  { status, body }: GatewayAnswer,
  receiptFollows: boolean,
  ownReference: string | undefined,
): Verdict {
  const { reference, acceptedWhen, permanentWhen } = options;
  const isRead = reference !== undefined || acceptedWhen !== undefined;
  const answer = isRead ? parseAnswer(body) : undefined;
  if (acceptedWhen && !holds(acceptedWhen, answer)) {
    // The reason is unknown, so try again: a late code is better than none.
    const kind = permanentWhen && holds(permanentWhen, answer) ? 'permanent' : 'temporary';
    const found = textAt(answer, acceptedWhen.path) !== undefined;
    const named = `HTTP ${status}, ${found ? 'refused in the answer' : 'answer not understood'}`;
    return { outcome: { kind, reason: nameError(options, { body }, named) } };
  }
  if (ownReference !== undefined) return accept(ownReference, receiptFollows, '');
  if (reference === undefined) return { outcome: { kind: 'accepted' } };
  return accept(
    textAt(answer, reference),
    receiptFollows,
    'the answer holds nothing at the path in `reference`',
  );
}

function nameError({ reason }: HttpOptions, { body }: Pick<GatewayAnswer, 'body'>, named: string): string {
  const name = reason === undefined ? undefined : errorNameAt(parseAnswer(body), reason);
  return name === undefined ? named : `${named}: ${name}`;
}

function holds(rule: NonNullable<HttpOptions['acceptedWhen']>, answer: unknown): boolean {
  const value = textAt(answer, rule.path);
  return rule.equals.some((expected) => String(expected) === value);
}
