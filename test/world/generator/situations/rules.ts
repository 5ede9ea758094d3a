/** Rules of the guard: two about ranges of which one lies within the other, where the longer one decides; and a country that is stopped for a while. */
import type { Command } from '../../command.ts';
import { MINUTE, planOf } from '../../model/table.ts';
import { type Begin, liveKey, numbersOf, type Situation, WRITTEN, wait } from './situation.ts';

export const twoRanges: Begin = (s, draw) => {
  const [to] = numbersOf(s, 'a');
  const key = liveKey(s, 'a');
  if (to === undefined || key === undefined) return undefined;
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

/** In the portal by an owner, or for all accounts by the operator. Numbers of another country may begin in the same way. */
export const stoppedCountry: Begin = (s, draw) => {
  const [account, owner] = draw(2) === 0 ? (['a', 'ann'] as const) : (['b', 'bob'] as const);
  const [to, ...others] = numbersOf(s, account);
  const key = liveKey(s, account);
  if (to === undefined || key === undefined || s.people.get(owner)?.roles[account] !== 'owner')
    return undefined;
  const { calling, country } = planOf(to);
  const isNear = (it: string) => planOf(it).calling === calling && planOf(it).country !== country;
  const near = others.find(isNear) ?? others[0] ?? to;
  const where = draw(3) === 0 ? {} : { by: owner, account };
  const lasts = draw(2) === 0 ? ({ action: 'pause', lasts: MINUTE } as const) : ({ action: 'deny' } as const);
  return stopped({
    account,
    owner,
    key,
    numbers: [to, near],
    where,
    rule: { of: 'country', value: country, name: `r${s.rules.size + 1}`, ...lasts },
  });
};

interface Stop {
  readonly account: string;
  readonly owner: string;
  readonly key: string;
  readonly numbers: readonly [string, string];
  readonly where: { readonly by?: string; readonly account?: string };
  readonly rule: Omit<Extract<Command, { do: 'guard-rule' }>, 'do' | 'by' | 'account'>;
}

function* stopped({ account, owner, key, numbers, where, rule }: Stop): Situation {
  const [to, near] = numbers;
  yield { do: 'sign-in', by: owner };
  yield { do: 'guard-rule', ...where, ...rule };
  yield wait(WRITTEN);
  for (const each of numbers) yield { do: 'verify', key, to: each, channel: 'sms' };
  yield { do: 'twilio-send', key, to, channel: 'sms' };
  yield { do: 'list', by: owner, account, what: 'countries' };
  if (rule.action === 'deny') yield { do: 'lift-rule', ...where, name: rule.name };
  yield wait(rule.lasts ?? WRITTEN);
  yield { do: 'list', by: owner, account, what: 'countries' };
  for (const each of [to, near]) yield { do: 'verify', key, to: each, channel: 'sms' };
}
