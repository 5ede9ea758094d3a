/** What an account refuses by look-ups, of one number. Nobody is asked: each question costs money. */
import { type NumberFacts, type NumberRule, refusalBy, refusedBy } from '../../core/lookups/facts.ts';
import type { NumberLookup } from '../../core/lookups/lookup.ts';
import { failuresOf } from '../../core/lookups/lookup-state.ts';
import type { CarrierState } from '../../core/sending/carrier-state.ts';
import { lackingOf, type NumberInquiry, withAnswer } from '../../core/verification/number-question.ts';
import type { RouteAnswer } from './contract.ts';

type Check = RouteAnswer['checks'][number];

const MILLION = 1_000_000;

interface Asked {
  readonly rule: NumberRule;
  /** As the service would ask; undefined if it asks nobody about such a number, or over such a route. */
  readonly inquiry: NumberInquiry | undefined;
  /** The keyed hash under which answers are remembered. */
  readonly of: string;
  readonly states: readonly CarrierState[];
  readonly currency: string;
  readonly now: number;
}

const passes = (detail: string): Check => ({ name: 'look-ups', verdict: 'passes', detail });

export const NO_LOOKUP_RULE = passes('The account refuses no number by what look-ups say.');

export function explainLookups(asked: Asked): Check {
  const { rule, inquiry, of } = asked;
  if (inquiry === undefined)
    return passes('Nobody is asked about a SIP address, nor where messages reach only the simulator.');
  const { question, needed, able } = inquiry;
  const never =
    rule.recycled && question.confirmedAt === undefined
      ? ' The account never confirmed the number, so nobody is asked whether it went to another subscriber.'
      : '';
  if (able.length === 0)
    return passes(`No look-up is for numbers of this country, or can tell what is refused.${never}`);
  let known: NumberFacts = {};
  const told: string[] = [];
  for (const lookup of able) {
    if (lackingOf(lookup, needed, known).length === 0) continue;
    const answer = lookup.recall(of, question);
    told.push(describe(lookup, answer, asked));
    if (answer !== undefined && answer !== 'failed') known = withAnswer(known, answer);
    const refusal = refusalBy(rule, known);
    if (refusal !== undefined)
      return { name: 'look-ups', verdict: 'refuses', detail: `${told.join(', then ')}: ${refusal.detail}.` };
  }
  const isKnown = needed.every((fact) => known[fact] !== undefined);
  const what = refusedBy(rule, 'what').join('; ');
  return {
    name: 'look-ups',
    verdict: isKnown ? 'passes' : 'unsure',
    detail: `Would be asked: ${told.join(', then ')}. Refused: ${what}.${never}`,
  };
}

function describe(
  { name, price }: NumberLookup,
  answer: ReturnType<NumberLookup['recall']>,
  { states, currency, now }: Asked,
): string {
  const costs =
    answer === undefined
      ? `${price / MILLION} ${currency}`
      : answer === 'failed'
        ? 'not asked just now, because it did not answer'
        : 'its answer is remembered, which costs nothing';
  const failed = failuresOf(states, name, now).map(({ reason }) => reason);
  const trouble = failed.length === 0 ? '' : `; a question lately had no answer: ${failed.join('; ')}`;
  return `${name} (${costs}${trouble})`;
}
