/** Any HTTP API: the options describe the request, and where the answer holds what is asked about. */

import { parseAnswer, textAt } from '../carriers/gateway/json-answer.ts';
import { readAuthority } from '../carriers/http/authority.ts';
import { compileBody } from '../carriers/http/body.ts';
import { compileHeaders } from '../carriers/http/headers.ts';
import { compileUrl } from '../carriers/http/url.ts';
import { checkWellFormed } from '../carriers/http/well-formed.ts';
import type { HttpLookupOptions } from '../config/table/lookup-options.ts';
import { LINE_TYPES, type LineType, type NumberFact } from '../core/lookups/facts.ts';
import type { NumberQuestion } from '../core/lookups/lookup.ts';
import { specifiedDay } from './camara.ts';
import { failedWith, type LookupProvider, type LookupReading } from './provider.ts';
import { happenedWithin } from './since.ts';

type YesOrNo = HttpLookupOptions['recycled'];

const PLACEHOLDERS = ['to', 'toDigits', 'hours', 'portedHours', 'since'] as const;

const INVENTED: NumberQuestion = {
  number: '+12025550123',
  swappedWithinHours: 1,
  portedWithinHours: 1,
  confirmedAt: 0,
};

/** @throws Error that begins with the name of the wrong option */
export function createHttp(options: HttpLookupOptions, now: () => number): LookupProvider {
  const { origin, path } = compileUrl(options.url, PLACEHOLDERS);
  const body = compileBody({ method: options.method, json: options.json }, PLACEHOLDERS);
  const headers = compileHeaders(options, body?.type, PLACEHOLDERS);
  const used = new Set(
    [path, ...headers.values(), ...(body ? [body.template] : [])].flatMap(({ uses }) => uses),
  );
  if (!used.has('to') && !used.has('toDigits'))
    throw new Error(`${options.json === undefined ? 'url' : 'json'}: nothing holds {{to}} or {{toDigits}}`);
  const tells = listTold(options);
  if (tells.length === 0)
    throw new Error(
      'lineType: nothing is read; set lineType, swapped, swappedAt, ported, portedAt or recycled',
    );

  const request: LookupProvider['request'] = (question) => {
    const { number, swappedWithinHours, portedWithinHours } = question;
    const values = {
      to: number,
      toDigits: number.replace(/^\+/, ''),
      hours: String(swappedWithinHours ?? ''),
      portedHours: String(portedWithinHours ?? ''),
      since: question.confirmedAt === undefined ? '' : specifiedDay(question),
    };
    return {
      method: options.method,
      path: path.fill(values),
      headers: Object.fromEntries([...headers].map(([name, template]) => [name, template.fill(values)])),
      body: body?.template.fill(values),
    };
  };
  checkWellFormed(request(INVENTED, ''));
  /** Within hours that somebody wants to know about. */
  const happened = (answer: unknown, hours: number | undefined, yes: YesOrNo, at: string | undefined) => {
    if (hours === undefined) return undefined;
    return at === undefined ? holds(yes, answer) : happenedWithin(textAt(answer, at), hours, now());
  };
  return {
    origin,
    ca: readAuthority(options),
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

function listTold({
  lineType,
  swapped,
  swappedAt,
  ported,
  portedAt,
  recycled,
}: HttpLookupOptions): NumberFact[] {
  const told: NumberFact[] = [];
  if (lineType !== undefined) told.push('lineType');
  if (swapped !== undefined || swappedAt !== undefined) told.push('swapped');
  if (ported !== undefined || portedAt !== undefined) told.push('ported');
  if (recycled !== undefined) told.push('recycled');
  return told;
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
