/** Decides from a gateway's answer what happened to a message. */
import { OPERATORS_FAULT } from '../../core/sending/carrier.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import type { GatewayAnswer } from '../gateway/transport.ts';
import { accept, type Judge, postpone, type Verdict } from '../gateway/verdict.ts';
import type { HttpOptions } from './options.ts';
import { compileStatuses } from './statuses.ts';

/**
 * Reasons name only the status, because gateways repeat numbers and texts in their answers.
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
    if (!permanent(status)) {
      if (accepted(status)) return judgeBody(options, answer, receiptFollows, ownReference);
      if (temporary(status)) {
        const fault = status === 401 || status === 403 ? OPERATORS_FAULT : '';
        return { outcome: postpone(answer, now, `${fault}HTTP ${status}`), ...complain(status) };
      }
    }
    return { outcome: { kind: 'permanent', reason: `HTTP ${status}` }, ...complain(status) };
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
    return {
      outcome: {
        kind,
        reason: `HTTP ${status}, ${found ? 'refused in the answer' : 'answer not understood'}`,
      },
    };
  }
  if (ownReference !== undefined) return accept(ownReference, receiptFollows, '');
  if (reference === undefined) return { outcome: { kind: 'accepted' } };
  return accept(
    textAt(answer, reference),
    receiptFollows,
    'the answer holds nothing at the path in `reference`',
  );
}

function holds(rule: NonNullable<HttpOptions['acceptedWhen']>, answer: unknown): boolean {
  const value = textAt(answer, rule.path);
  return rule.equals.some((expected) => String(expected) === value);
}

function complain(status: number): Pick<Verdict, 'complaint'> {
  if (status === 401 || status === 403) {
    return { complaint: { level: 'error', message: 'the gateway refused our credentials' } };
  }
  if (status >= 300 && status < 400) {
    // Never followed: the new address would get our credentials and the code.
    return { complaint: { level: 'error', message: 'the gateway redirects; set url to the new address' } };
  }
  return {};
}
