/** Any HTTP API: the options describe the request, and where the answer holds what is asked about. */

import { parseAnswer, textAt } from '../carriers/gateway/json-answer.ts';
import type { HttpLookupOptions } from '../config/table/lookup-options.ts';
import { LINE_TYPES, type LineType } from '../core/lookups/facts.ts';
import { specifiedDay } from './camara.ts';
import { compileRequest } from './http-request.ts';
import { failedWith, type LookupProvider, type LookupReading } from './provider.ts';
import { happenedWithin } from './since.ts';

type YesOrNo = HttpLookupOptions['recycled'];

/** @throws Error that begins with the name of the wrong option */
export function createHttp(options: HttpLookupOptions, now: () => number): LookupProvider {
  const { origin, ca, tells, fill } = compileRequest(options);

  const request: LookupProvider['request'] = (question) => {
    const { number, swappedWithinHours, portedWithinHours } = question;
    return fill({
      to: number,
      toDigits: number.replace(/^\+/, ''),
      hours: String(swappedWithinHours ?? ''),
      portedHours: String(portedWithinHours ?? ''),
      since: question.confirmedAt === undefined ? '' : specifiedDay(question),
    });
  };
  /** Within hours that somebody wants to know about. */
  const happened = (answer: unknown, hours: number | undefined, yes: YesOrNo, at: string | undefined) => {
    if (hours === undefined) return undefined;
    return at === undefined ? holds(yes, answer) : happenedWithin(textAt(answer, at), hours, now());
  };
  return {
    origin,
    ca,
    tells,
    scopeOf: (question) => {
      const { swappedWithinHours = '', portedWithinHours = '', confirmedAt } = question;
      return `${swappedWithinHours} ${portedWithinHours} ${confirmedAt === undefined ? '' : specifiedDay(question)}`;
    },
    request,
    read: ({ status, body: text }, question): LookupReading => {
      if (status < 200 || status >= 300) return failedWith(status);
      const answer = parseAnswer(text);
      if (typeof answer !== 'object' || answer === null) return { failed: 'an answer that is not JSON' };
      return {
        facts: {
          lineType: readLineType(options, answer),
          swapped: happened(answer, question.swappedWithinHours, options.swapped, options.swappedAt),
          ported: happened(answer, question.portedWithinHours, options.ported, options.portedAt),
          recycled: question.confirmedAt === undefined ? undefined : holds(options.recycled, answer),
        },
      };
    },
  };
}

function readLineType({ lineType }: HttpLookupOptions, answer: unknown): LineType | undefined {
  const word = lineType && textAt(answer, lineType.path);
  if (lineType === undefined || word === undefined) return undefined;
  return Object.hasOwn(lineType.values, word)
    ? lineType.values[word]
    : LINE_TYPES.find((type) => type === word);
}

function holds(rule: YesOrNo, answer: unknown): boolean | undefined {
  const value = rule && textAt(answer, rule.path);
  if (rule === undefined || value === undefined) return undefined;
  return rule.equals.some((expected) => String(expected) === value);
}
