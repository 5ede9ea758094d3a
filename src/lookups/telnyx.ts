/** Telnyx Number Lookup. */
import { parseAnswer, textAt } from '../carriers/gateway/json-answer.ts';
import type { TelnyxLookupOptions } from '../config/table/lookup-options.ts';
import type { LineType } from '../core/lookups/facts.ts';
import type { NumberQuestion } from '../core/lookups/lookup.ts';
import { failedWith, type LookupProvider, type LookupReading } from './provider.ts';
import { happenedWithin } from './since.ts';

/** `fixed line or mobile` says too little. */
const LINE_TYPES: Readonly<Record<string, LineType>> = {
  mobile: 'mobile',
  'fixed line': 'landline',
  voip: 'voip',
  'toll free': 'toll_free',
  'premium rate': 'premium_rate',
  'shared cost': 'shared_cost',
  'personal number': 'personal_number',
  uan: 'company_wide',
  pager: 'pager',
  voicemail: 'voicemail',
};

export function createTelnyx({ apiKey, url }: TelnyxLookupOptions, now: () => number): LookupProvider {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    accept: 'application/json',
    'user-agent': 'countersign',
  };
  return {
    origin: new URL(url),
    // Portability comes with every answer about a number of North America, and is empty for most others.
    tells: ['lineType', 'ported'],
    scopeOf: ({ portedWithinHours }) => String(portedWithinHours ?? ''),
    request: ({ number }) => ({
      method: 'GET',
      path: `/v2/number_lookup/${number}?type=carrier`,
      headers,
    }),
    read: ({ status, body }, question): LookupReading => {
      if (status !== 200) return failedWith(status);
      const answer = parseAnswer(body);
      if (typeof answer !== 'object' || answer === null) return { failed: 'an answer that is not JSON' };
      const type = textAt(answer, 'data.carrier.type') ?? '';
      const lineType = Object.hasOwn(LINE_TYPES, type) ? LINE_TYPES[type] : undefined;
      return { facts: { lineType, ported: readPort(answer, question, now()) } };
    },
  };
}

/** A number that came back to its first carrier may have a date, too. */
function readPort(answer: unknown, { portedWithinHours }: NumberQuestion, now: number): boolean | undefined {
  if (portedWithinHours === undefined) return undefined;
  const isLate = happenedWithin(textAt(answer, 'data.portability.ported_date'), portedWithinHours, now);
  return isLate ?? (textAt(answer, 'data.portability.ported_status') === 'N' ? false : undefined);
}
