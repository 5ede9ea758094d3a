/** What providers are like and know, and what accounts refuse by it. */
import type { Command } from '../command.ts';
import type { Fact, Lookup, ProviderConduct, Refuse } from '../lookup.ts';
import type { Draw } from '../machine/random.ts';
import type { State } from '../model/state.ts';
import { MINUTE, POOL, planOf, SECOND } from '../model/table.ts';
import { late, one, pick } from './chance.ts';

const ALL: readonly Fact[] = ['lineType', 'swapped', 'ported', 'recycled'];
/** One that can tell everything, or two of which the second knows what the first may not. */
export function drawLookups(draw: Draw): readonly Lookup[] {
  const of = (name: string, tells: readonly Fact[]): Lookup => ({
    ...{ name, tells, price: pick(draw, [0, 0.02, 0.1]) ?? 0 },
    ...{ remember: pick(draw, [SECOND, MINUTE, 15 * MINUTE]) ?? MINUTE },
    ...(one(draw, 2) && { closed: true }),
    ...(one(draw, 5) && { for: ['US', 'GG'] }),
  });
  if (one(draw, 3)) return [of('insight', ALL)];
  return [of('insight', ['lineType', 'swapped']), of('network', one(draw, 2) ? ['recycled'] : ALL)];
}

/** Where providers can tell something, an account refuses by it as a rule. */
export function mayRefuse(s: State, account: string, draw: Draw): boolean {
  return s.fixed.lookups !== undefined && !s.settings.get(account)?.at(-1)?.value.refuse && one(draw, 4);
}
/** Mostly something that can be told. */
export function someRefuse({ fixed }: Pick<State, 'fixed'>, draw: Draw): { readonly refuse?: Refuse } {
  const told = fixed.lookups?.flatMap((it) => it.tells) ?? [];
  if (told.length === 0 ? !one(draw, 12) : one(draw, 6)) return {};
  const is = (fact: Fact) => (told.includes(fact) || one(draw, 4)) && !one(draw, 3);
  const refuse: Refuse = {
    ...(is('lineType') && { types: one(draw, 2) ? (['voip'] as const) : (['voip', 'landline'] as const) }),
    ...(is('swapped') && { hours: pick(draw, [24, 72]) ?? 24 }),
    ...(is('ported') && one(draw, 2) && { ported: pick(draw, [24, 72]) ?? 24 }),
    ...(is('recycled') && { recycled: true }),
  };
  return Object.keys(refuse).length === 0 ? {} : { refuse };
}

const CONDUCTS: readonly ProviderConduct[] = [
  ...([
    'answers',
    'answers',
    'answers',
    'slow',
    'knows not',
    'fails',
    'refuses',
    'hung',
    'mistaken',
  ] as const),
];
/** What changes around the service: what is so of a number, or what a provider does. Undefined where there is none. */
export function aroundLookups(s: State, draw: Draw): Command | undefined {
  const lookup = pick(draw, s.fixed.lookups ?? [])?.name;
  if (lookup === undefined) return undefined;
  if (one(draw, 3)) return { do: 'provider', lookup, conduct: pick(draw, CONDUCTS) ?? 'answers' };
  const used = one(draw, 3) ? undefined : late(draw, s.verifications)?.to;
  const mobile = POOL.filter((it) => planOf(it).type === 'mobile');
  return {
    ...{ do: 'line', number: used ?? pick(draw, mobile) ?? '' },
    ...(!one(draw, 4) && { type: pick(draw, ['mobile', 'mobile', 'voip'] as const) ?? 'mobile' }),
    ...(one(draw, 2) && { swapped: pick(draw, [1, 48, 100]) ?? 1 }),
    ...(one(draw, 3) && { ported: pick(draw, [1, 48, 100]) ?? 1 }),
    ...(one(draw, 2) && { recycled: true }),
  };
}
