/** What members and the operator do in the portal and on the command line. */
import type { Command } from '../command.ts';
import type { Draw } from '../machine/random.ts';
import { liveNow, type State, type Verification } from '../model/state.ts';
import { HOUR, MINUTE, NO_NUMBERS, POOL, planOf, SECOND } from '../model/table.ts';
import { carriersOf } from '../routes.ts';
import { late, one, pick } from './chance.ts';
import { anyChannel } from './channels.ts';

const ROLES = ['owner', 'owner', 'developer', 'viewer', 'none'] as const;
const LISTS = [
  'keys',
  'verifications',
  'members',
  'do-not-send/numbers',
  'webhooks',
  'guard/rules',
  'countries',
  'settings',
  'audit',
] as const;

/** Half of what an owner may do is done in the portal, as a rule by somebody who is signed in. */
export function by(s: State, draw: Draw, elsewhere = false) {
  const who = pick(draw, [...s.people], ([, it]) => it.signedIn !== undefined)?.[0];
  return who === undefined || one(draw, 2)
    ? {}
    : { by: who, ...(elsewhere && { at: one(draw, 2) ? 'a' : 'b' }) };
}
/** Mostly about what was just asked for, and refusals do not stay. */
export function rule(
  s: State,
  draw: Draw,
  kind: 'guard-rule' | 'lift-rule',
  account: string,
  last?: Verification,
): Command {
  const who = by(s, draw);
  const own = 'by' in who || one(draw, 2) ? { account } : {};
  const known = late(draw, [...s.rules], ([, it]) => it.at(-1)?.value?.isKnown === true);
  if (kind === 'lift-rule') {
    const [name = 'none', changes] = known ?? [];
    const whose = changes?.at(-1)?.value?.account ?? account;
    return { do: 'lift-rule', ...who, ...('by' in who ? { account: whose } : own), name };
  }
  const of = pick(draw, ['number', 'range', 'country', 'key'] as const) ?? 'number';
  const to = last?.to ?? POOL[0] ?? '';
  const key = last?.key ?? 'a-live';
  const country = one(draw, 12) ? NO_NUMBERS : planOf(to).country;
  const values = { number: to, range: to.slice(0, 5 + draw(4)), country, key };
  const action = pick(draw, ['allow', 'deny', 'pause'] as const) ?? 'deny';
  const lasts =
    action !== 'allow' || one(draw, 2) ? { lasts: pick(draw, [SECOND, MINUTE, HOUR]) ?? HOUR } : {};
  return { do: kind, ...who, ...own, name: `r${s.rules.size + 1}`, action, of, value: values[of], ...lasts };
}
type Portal =
  | 'sign-in'
  | 'prove'
  | 'sign-out'
  | 'member'
  | 'list'
  | 'reveal'
  | 'open'
  | 'judge'
  | 'test-carrier';
export function inPortal(s: State, draw: Draw, kind: Portal, account: string): Command {
  const names = [...s.people.keys()];
  const [any = '', who = ''] = [pick(draw, names), pick(draw, names)];
  const person = pick(draw, names, (it) => s.people.get(it)?.signedIn !== undefined);
  if (kind === 'sign-in' || person === undefined) return { do: 'sign-in', by: any };
  if (kind === 'test-carrier') return carrierTest(s, draw, person, account);
  const own = Object.keys(s.people.get(person)?.roles ?? {});
  const where = { by: person, account: (one(draw, 3) ? undefined : pick(draw, own)) ?? account };
  if (kind === 'sign-out' || kind === 'prove') return { do: kind, by: person };
  if (kind === 'member') return { do: kind, ...where, who, role: pick(draw, ROLES) ?? 'none' };
  if (kind === 'reveal') return { do: kind, ...where, id: late(draw, [...s.made.keys()]) ?? -1 };
  if (kind === 'open' || kind === 'judge') {
    // mostly of their own account, and of one that something was said of
    const its = [...s.made].filter(([, v]) => v.account === where.account || one(draw, 8));
    const id = (late(draw, one(draw, 2) ? its.filter(([, v]) => v.said) : []) ?? late(draw, its))?.[0] ?? -1;
    if (kind === 'open') return { do: kind, ...where, id };
    return { do: kind, ...where, id, verdict: pick(draw, ['fraud', 'good', null] as const) ?? null };
  }
  return { do: kind, ...where, what: pick(draw, LISTS) ?? 'keys' };
}
/** Mostly by an owner who has just shown who they are, and to a number that has codes. */
function carrierTest(s: State, draw: Draw, any: string, account: string): Command {
  const owner = [...s.people].find(([, it]) => it.roles[account] === 'owner')?.[0];
  const by = one(draw, 8) ? any : (owner ?? any);
  const { signedIn, proven } = s.people.get(by) ?? {};
  if (signedIn === undefined && !one(draw, 8)) return { do: 'sign-in', by };
  if ((proven?.at ?? 0) < s.now - 10 * MINUTE && !one(draw, 8)) return { do: 'prove', by };
  const names = carriersOf(liveNow(s)).map((it) => it.carrier);
  const carrier = (one(draw, 12) ? undefined : pick(draw, names)) ?? 'three';
  const used = one(draw, 3) ? undefined : late(draw, s.verifications)?.to;
  const to = used ?? POOL[draw(POOL.length)] ?? '';
  return { do: 'test-carrier', by, account, carrier, to, channel: anyChannel(s, draw) };
}
