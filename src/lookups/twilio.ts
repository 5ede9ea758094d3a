/** Twilio Lookup 2. */
import { basic } from '../carriers/gateway/basic.ts';
import { parseAnswer, textAt } from '../carriers/gateway/json-answer.ts';
import type { TwilioLookupOptions } from '../config/table/lookup-options.ts';
import type { LineType, NumberFacts } from '../core/lookups/facts.ts';
import type { NumberQuestion } from '../core/lookups/lookup.ts';
import { failedWith, type LookupProvider, type LookupReading } from './provider.ts';
import { happenedWithin } from './since.ts';

const LINE_TYPES: Readonly<Record<string, LineType>> = {
  mobile: 'mobile',
  landline: 'landline',
  fixedVoip: 'fixed_voip',
  nonFixedVoip: 'voip',
  tollFree: 'toll_free',
  premium: 'premium_rate',
  sharedCost: 'shared_cost',
  personal: 'personal_number',
  uan: 'company_wide',
  pager: 'pager',
  voicemail: 'voicemail',
};

const FIELDS = { lineType: 'line_type_intelligence', swapped: 'sim_swap' } as const;

export function createTwilio(
  { accountSid, authToken, tells, url }: TwilioLookupOptions,
  now: () => number,
): LookupProvider {
  const headers = {
    authorization: basic(accountSid, authToken),
    accept: 'application/json',
    'user-agent': 'countersign',
  };
  const fields = tells.map((fact) => FIELDS[fact]).join();
  return {
    origin: new URL(url),
    tells,
    scopeOf: ({ swappedWithinHours }) => String(tells.includes('swapped') ? swappedWithinHours : ''),
    request: ({ number }) => ({
      method: 'GET',
      // As Twilio's own library writes it: a plus in a path is a plus.
      path: `/v2/PhoneNumbers/${number}?Fields=${encodeURIComponent(fields)}`,
      headers,
    }),
    read: ({ status, body }, question): LookupReading => {
      if (status !== 200) return failedWith(status);
      const answer = parseAnswer(body);
      if (typeof answer !== 'object' || answer === null) return { failed: 'an answer that is not JSON' };
      const type = textAt(answer, 'line_type_intelligence.type') ?? '';
      const lineType = Object.hasOwn(LINE_TYPES, type) ? LINE_TYPES[type] : undefined;
      return { facts: { lineType, swapped: readSwap(answer, question, now()) } satisfies NumberFacts };
    },
  };
}

/**
 * Twilio says when the SIM was swapped, or only whether it was in a period that is set in its account: where that period is shorter
 * than what was asked about, "no" says too little, and where it is longer, "yes" does.
 */
function readSwap(answer: unknown, { swappedWithinHours }: NumberQuestion, now: number): boolean | undefined {
  if (swappedWithinHours === undefined) return undefined;
  const said = textAt(answer, 'sim_swap.last_sim_swap.last_sim_swap_date');
  const isLate = happenedWithin(said, swappedWithinHours, now);
  if (isLate !== undefined) return isLate;
  const isInPeriod = textAt(answer, 'sim_swap.last_sim_swap.swapped_in_period');
  const period = hoursOf(textAt(answer, 'sim_swap.last_sim_swap.swapped_period') ?? '');
  if (isInPeriod === undefined || period === undefined) return undefined;
  if (isInPeriod === 'true') return period <= swappedWithinHours ? true : undefined;
  return period >= swappedWithinHours ? false : undefined;
}

/** Of a duration of days and hours such as `PT48H` or `P7D` (ISO 8601). */
function hoursOf(duration: string): number | undefined {
  const [whole, days = '0', hours = '0'] = /^P(?:(\d+)D)?(?:T(\d+)H)?$/.exec(duration) ?? [];
  return whole === undefined ? undefined : Number(days) * 24 + Number(hours);
}
