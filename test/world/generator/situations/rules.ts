/** Two rules of the guard about ranges of which one lies within the other: the longer one decides. */
import { type Begin, liveKey, numbersOf, type Situation, WRITTEN, wait } from './situation.ts';

export const twoRanges: Begin = (s, draw) => {
  const [to] = numbersOf(s, 'a');
  const key = liveKey(s, 'a');
  if (s.fixed.guard === 'off' || to === undefined || key === undefined) return undefined;
  const actions = draw(2) === 0 ? (['deny', 'allow'] as const) : (['allow', 'deny'] as const);
  const where = draw(2) === 0 ? { account: 'a' } : {};
  return withinOneAnother(to, key, actions, where, s.rules.size + 1);
};

function* withinOneAnother(
  to: string,
  key: string,
  actions: readonly ('allow' | 'deny')[],
  where: { readonly account?: string },
  count: number,
): Situation {
  const rules = actions.map((action, i) => ({
    action,
    name: `r${count + i}`,
    value: to.slice(0, 6 + 2 * i),
  }));
  for (const rule of rules) yield { do: 'guard-rule', of: 'range', ...rule, ...where };
  yield wait(WRITTEN);
  yield { do: 'verify', key, to, channel: 'sms' };
  for (const { name } of rules) yield { do: 'lift-rule', name, ...where };
}
