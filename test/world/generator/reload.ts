/** What the operator changes and reloads. */

import type { Draw } from '../machine/random.ts';
import type { LiveOptions } from '../options.ts';
import { one, pick } from './chance.ts';
import { drawNext, someFurther } from './channels.ts';

const COUNTRIES = ['US', 'CA', 'DE', 'FR', 'GG'];
export const someCountries = (draw: Draw) => COUNTRIES.filter(() => draw(3) > 0);

/** One thing changes: the order, the prices, a carrier, the countries, another channel, a ceiling or a budget. */
export function changedLive(now: LiveOptions, draw: Draw): LiveOptions {
  const what = draw(11);
  if (what === 7) {
    const { routeCap, ...others } = now;
    if (one(draw, 3)) return routeCap === undefined ? { ...now, routeCap: 1 + draw(4) } : others;
    const caps = one(draw, 3) ? {} : { cap: 1 + draw(4) };
    return { ...now, route: now.route.map(({ carrier, price }) => ({ carrier, price, ...caps })) };
  }
  if (what === 8) return { ...now, ceilings: someCeilings(draw) };
  if (what === 0) return { ...now, route: now.route.toReversed() };
  if (what === 1) return { ...now, route: now.route.map((it) => ({ ...it, price: draw(26) / 100 })) };
  if (what === 2 && now.route.length > 1) return { ...now, route: now.route.slice(1) };
  if (what === 3) return { ...now, countries: now.countries.length > 0 ? [] : someCountries(draw) };
  if (what === 4) {
    const { next, ...others } = now;
    return next && one(draw, 2) ? others : { ...others, next: drawNext(draw, now) };
  }
  if (what === 9 || what === 10) {
    // what goes on by a route that is there no more is refused
    const { further, ...others } = now;
    return further && one(draw, 3) ? others : { ...others, further: someFurther(draw) };
  }
  const budget = someBudget(draw, ['installation', 'account', 'key', 'country']);
  const budgets = now.budgets.filter((it) => it.of !== budget.of || it.per !== budget.per);
  if (budgets.length < now.budgets.length && one(draw, 2)) return { ...now, budgets };
  return { ...now, budgets: [...budgets, budget] };
}

const SENDS = [['1/1m'], ['2/1m', '4/1h'], ['6/1h'], ['30/1d']] as const;
const WRONG = [['1/10m'], ['3/1h'], ['20/1d']] as const;
/** More than the service's, or less, or none of its own. */
export function someCeilings(draw: Draw): NonNullable<LiveOptions['ceilings']> {
  const ceilings = ['a', 'b'].flatMap((account) => {
    const [sends, wrong] = [pick(draw, [undefined, ...SENDS]), pick(draw, [undefined, ...WRONG])];
    return one(draw, 3) ? [] : [[account, { ...(sends && { sends }), ...(wrong && { wrong }) }] as const];
  });
  return Object.fromEntries(ceilings);
}

type Budget = LiveOptions['budgets'][number];
export function someBudget(draw: Draw, holders: readonly Budget['of'][]): Budget {
  const of = pick(draw, holders) ?? 'account';
  const per = one(draw, 2) ? 'hour' : 'day';
  return { of, per, ...(one(draw, 2) ? { messages: 1 + draw(5) } : { money: (1 + draw(8)) / 20 }) };
}
