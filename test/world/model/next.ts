import type { Command, LiveOptions } from '../command.ts';
import { isOver, keysOf } from './common.ts';
import { NAMES_MESSAGES, SIGNS_TIME, SYSTEMS } from './hooks.ts';
import type { Model } from './model.ts';
import type { Key, Since, State, Verification } from './state.ts';
import { liveNow } from './state.ts';
import { DAY, FIRST_KEYS, HOUR, MAGIC, MINUTE, POOL, rateOf, SECOND } from './table.ts';

/** How often each kind of command comes, and within it what is interesting: the only figures to turn. */
const WEIGHTS = {
  commands: {
    ...{ verify: 22, 'twilio-send': 8, hook: 4, repeat: 6, confirm: 26, look: 8, wait: 16 },
    ...{ 'twilio-check': 12, 'twilio-fetch': 3, 'twilio-update': 4 },
    ...{ keyword: 4, block: 3, erase: 2, copy: 2, reload: 2, settings: 3 },
    ...{ member: 2, list: 3, reveal: 1, 'sign-in': 2, 'sign-out': 1 },
    ...{ 'make-key': 1, 'rotate-key': 2, 'bound-key': 2, 'revoke-key': 1 },
  },
  keys: { good: 12, foreign: 2, ended: 1, none: 1 },
  codes: { right: 10, wrong: 6, sibling: 3 },
  waits: { moment: 8, code: 4, window: 4, period: 1, overlap: 1, repeat: 1, retention: 1 },
};
const RATES = ['1/1m', '2/1m', '3/10m', '4/1h'];
const COUNTRIES = ['US', 'DE', 'FR', 'GG'];
/** Few, so that a string comes again with the same and with another body, and a number has one code twice. */
const STRINGS = ['once-1', 'once-2', 'once-3'];
const ROLES = ['owner', 'owner', 'developer', 'viewer', 'none'] as const;
const LISTS = ['keys', 'verifications', 'members', 'do-not-send/numbers', 'audit'] as const;
const BROUGHT = ['482913', '482914', '4829'];

type Draw = (n: number) => number;

/** The next command, guided by what the model knows. `draw(n)` gives 0 to n - 1: all chance comes from it. */
export function suggest(model: Model, draw: Draw): Command {
  const [s] = model.states;
  return s === undefined ? { do: 'wait', ms: SECOND } : command(s, draw);
}

const one = (draw: Draw, of: number) => draw(of) === 0;
type Suits<T> = (it: T) => boolean;
/** One of those that suit, if there are any; of `late` the newer ones more often. */
function pick<T>(draw: Draw, list: readonly T[], suits: Suits<T> = () => true): T | undefined {
  const its = list.filter(suits);
  return its.length === 0 ? undefined : its[draw(its.length)];
}
function late<T>(draw: Draw, list: readonly T[], suits: Suits<T> = () => true): T | undefined {
  const its = list.filter(suits);
  return its.length === 0 ? undefined : its.at(-1 - Math.min(draw(its.length), draw(its.length)));
}
function weighted<T extends string>(draw: Draw, weights: Readonly<Record<T, number>>): T {
  const names = Object.keys(weights) as T[];
  const each = names.flatMap((it) => Array<T>(weights[it]).fill(it));
  return pick(draw, each) as T;
}
const nowOf = (s: State) => ({ at: s.now, until: s.now });

function command(s: State, draw: Draw): Command {
  const keys = [...s.keys.keys()].flatMap((name) => keysOf(s, name, nowOf(s)).good);
  const without = ['a', 'b'].find((it) => !keys.some((key) => key.account === it && !key.test));
  const kind = without === undefined ? weighted(draw, WEIGHTS.commands) : 'make-key';
  const account = without ?? (one(draw, 3) ? 'b' : 'a');
  const last = late(draw, s.verifications, (it) => !it.test);
  const number = last?.to ?? POOL[draw(POOL.length)] ?? '';
  switch (kind) {
    case 'verify':
    case 'twilio-send':
    case 'hook':
    case 'repeat':
      return send(s, draw, kind);
    case 'keyword': {
      const carrier = last?.attempts.at(-1)?.carrier ?? pick(draw, liveNow(s).route)?.carrier ?? 'none';
      return { do: kind, from: number, carrier, word: one(draw, 3) ? 'START' : 'STOP' };
    }
    case 'block': {
      const listed = pick(draw, [...s.blocked], ([, changes]) => changes.at(-1)?.value !== false);
      const [owner = last?.account ?? account, what] = listed?.[0].split(' ') ?? [];
      if (what && one(draw, 2)) return { do: 'unblock', account: owner, what, ...by(s, draw) };
      return { ...by(s, draw), do: kind, account: owner, what: one(draw, 3) ? number.slice(0, 5) : number };
    }
    case 'copy':
    case 'erase': {
      const who = by(s, draw);
      const where = 'by' in who || one(draw, 2) ? { account } : {};
      const lists = kind === 'erase' && one(draw, 3) ? { lists: true } : {};
      return { ...who, do: kind, number, ...where, ...lists };
    }
    case 'reload':
      return { do: kind, live: changedLive(liveNow(s), draw) };
    case 'settings':
      return {
        ...by(s, draw),
        ...{ do: kind, account, twilio: !one(draw, 4), countries: one(draw, 3) ? some(draw) : [] },
        ...(one(draw, 2) ? { sends: [pick(draw, RATES) ?? ''] } : {}),
        ...(one(draw, 2) ? { wrong: [pick(draw, RATES) ?? ''] } : {}),
        ...(one(draw, 3) ? { length: 4 + draw(7) } : {}),
      };
    case 'wait':
      return { do: kind, ms: wait(s, draw) };
    case 'make-key':
    case 'rotate-key':
    case 'bound-key':
    case 'revoke-key': {
      const name = `k${s.keys.size - FIRST_KEYS.length + 1}`;
      const key = keyFor(s, draw, () => true);
      const [test, customCodes, overlap = 0] = [
        one(draw, 2),
        one(draw, 2),
        pick(draw, [0, MINUTE, HOUR, DAY]),
      ];
      if (kind === 'make-key')
        return {
          do: kind,
          account,
          name,
          test: test && !without,
          customCodes,
          ...(without ? {} : by(s, draw)),
        };
      const who = by(s, draw, one(draw, 12));
      if (kind === 'rotate-key') return { do: kind, key, name, overlap, ...who };
      if (kind === 'revoke-key') return { do: kind, key, ...who };
      const channels = pick(draw, [[], [], ['sms'], ['voice']]) ?? [];
      return { do: kind, key, channels, countries: one(draw, 2) ? [] : some(draw), ...who };
    }
    case 'sign-in':
    case 'sign-out':
    case 'member':
    case 'list':
    case 'reveal':
      return inPortal(s, draw, kind, account);
    default:
      return ask(s, draw, kind);
  }
}
/** Half of what an owner may do is done in the portal, as a rule by somebody who is signed in. */
function by(s: State, draw: Draw, elsewhere = false) {
  const who = pick(draw, [...s.people], ([, it]) => it.signedIn !== undefined)?.[0];
  return who === undefined || one(draw, 2)
    ? {}
    : { by: who, ...(elsewhere && { at: one(draw, 2) ? 'a' : 'b' }) };
}
type Portal = 'sign-in' | 'sign-out' | 'member' | 'list' | 'reveal';
function inPortal(s: State, draw: Draw, kind: Portal, account: string): Command {
  const names = [...s.people.keys()];
  const [any = '', who = ''] = [pick(draw, names), pick(draw, names)];
  const person = pick(draw, names, (it) => s.people.get(it)?.signedIn !== undefined);
  if (kind === 'sign-in' || person === undefined) return { do: 'sign-in', by: any };
  const own = Object.keys(s.people.get(person)?.roles ?? {});
  const where = { by: person, account: (one(draw, 3) ? undefined : pick(draw, own)) ?? account };
  if (kind === 'sign-out') return { do: kind, by: person };
  if (kind === 'member') return { do: kind, ...where, who, role: pick(draw, ROLES) ?? 'none' };
  if (kind === 'reveal') return { do: kind, ...where, id: late(draw, [...s.made.keys()]) ?? -1 };
  return { do: kind, ...where, what: pick(draw, LISTS) ?? 'keys' };
}
const some = (draw: Draw) => COUNTRIES.filter(() => draw(3) > 0);

/** A key by name: one that suits, or one of another account or kind, one that has ended, or none at all. */
function keyFor(s: State, draw: Draw, suits: (key: Key) => boolean): string {
  const which = weighted(draw, WEIGHTS.keys);
  const all = [...s.keys.keys()].map((name) => ({ name, ...keysOf(s, name, nowOf(s)) }));
  const isGood = (it: (typeof all)[number]) => it.good.some(suits);
  if (which === 'none') return 'nobody';
  if (which === 'foreign') return pick(draw, all, (it) => !isGood(it))?.name ?? 'b-test';
  const ended = which === 'ended' ? pick(draw, all, (it) => it.bad) : undefined;
  return (ended ?? late(draw, all, isGood))?.name ?? 'a-live';
}

function send(s: State, draw: Draw, kind: 'verify' | 'twilio-send' | 'hook' | 'repeat'): Command {
  const before = kind === 'repeat' ? [...s.once] : [];
  const first = late(draw, before, ([place]) => place.startsWith('send'));
  const key = keyFor(s, draw, (it) => it.account === (first?.[1].verification.account ?? it.account));
  const good = keysOf(s, key, nowOf(s)).good.at(-1);
  // numbers that were just sent to are near their limits
  const used = late(draw, s.verifications)?.to;
  const magic = one(draw, good?.test ? 2 : 30) ? pick(draw, MAGIC) : undefined;
  const brings = one(draw, good?.customCodes ? 4 : 20) ? { code: pick(draw, BROUGHT) ?? '' } : {};
  const to = magic ?? (one(draw, 3) ? undefined : used) ?? POOL[draw(POOL.length)] ?? '';
  if (kind === 'hook') return { ...hook(draw), to, code: pick(draw, BROUGHT) ?? '' };
  const channel = one(draw, 4) ? 'voice' : 'sms';
  const call = { voice: 'call', sms: 'sms' } as const;
  if (first !== undefined && !one(draw, 3)) {
    // the same body; the key may be another one of its account and kind
    const its: [string, 'sms' | 'voice', string | null, number | null] = JSON.parse(first[1].body);
    const [number, by, code, length] = its;
    const more = { ...(code === null ? {} : { code }), once: first[0].split(' ')[3] ?? '' };
    const body = { key: one(draw, 2) ? key : first[1].verification.key, to: number, ...more };
    if (first[1].answer === 'twilio') return { do: 'twilio-send', ...body, channel: call[by] };
    return { do: 'verify', ...body, channel: by, ...(length === null ? {} : { length }) };
  }
  const once = kind === 'repeat' || one(draw, 6) ? { once: pick(draw, STRINGS) ?? '' } : {};
  const length = one(draw, 8) && !('code' in brings) ? { length: 4 + draw(7) } : {};
  if (kind === 'twilio-send') return { do: kind, key, to, channel: call[channel], ...brings, ...once };
  return { do: 'verify', key, to, channel, ...brings, ...length, ...once };
}

/** Now and then one that is not the system. */
function hook(draw: Draw) {
  const system = pick(draw, SYSTEMS) ?? '';
  const odd = one(draw, 12)
    ? ('forged' as const)
    : one(draw, 12) && SIGNS_TIME.includes(system)
      ? ('late' as const)
      : undefined;
  const once = NAMES_MESSAGES.includes(system) ? { once: pick(draw, STRINGS) ?? '' } : {};
  return { do: 'hook' as const, system, ...once, ...(odd && { odd }) };
}

/** The right code, as far as it is known; that of another verification of the number; or a wrong one. */
function guess(s: State, draw: Draw, v: Verification): string {
  const which = weighted(draw, WEIGHTS.codes);
  const other = late(draw, s.verifications, (it) => it !== v && it.to === v.to);
  const seen = late(draw, s.loose, (it) => it.to === v.to)?.code;
  const code = which === 'right' ? v.code : other?.code;
  return (which === 'wrong' ? undefined : (code ?? seen)) ?? `${100000 + draw(3)}`;
}

type Asks = 'confirm' | 'look' | 'twilio-check' | 'twilio-fetch' | 'twilio-update';
/** Something about a code: more often one that is open and new. */
function ask(s: State, draw: Draw, kind: Asks): Command {
  const made = [...s.made];
  const open = made.filter(([, it]) => !it.confirmed && isOver(s, it, nowOf(s)) !== 'yes');
  const [n, v] = late(draw, one(draw, 4) || open.length === 0 ? made : open) ?? [];
  if (n === undefined || v === undefined) return send(s, draw, 'verify');
  const key = keyFor(s, draw, (it) => it.account === v.account && it.test === v.test);
  const id = one(draw, 30) ? -1 : n;
  if (kind === 'look' || kind === 'twilio-fetch') return { do: kind, key, id };
  if (kind === 'twilio-update') return { do: kind, key, id, status: one(draw, 2) ? 'approved' : 'canceled' };
  const code = guess(s, draw, v);
  if (kind === 'twilio-check') return { do: kind, key, of: one(draw, 3) ? id : v.to, code };
  const [place, first] = late(draw, [...s.once], ([it]) => it.startsWith('confirm')) ?? [];
  const again = made.find(([, it]) => it === first?.verification)?.[0];
  if (first === undefined || again === undefined || !one(draw, 6)) {
    return { do: kind, key, id, code, ...(one(draw, 4) ? { once: pick(draw, STRINGS) ?? '' } : {}) };
  }
  const once = place?.split(' ')[3] ?? '';
  return { do: kind, key: first.verification.key, id: again, code: first.body, once };
}

/** One thing changes: the order, the prices, a carrier, the countries or a budget. */
function changedLive(now: LiveOptions, draw: Draw): LiveOptions {
  const what = draw(5);
  if (what === 0) return { ...now, route: now.route.toReversed() };
  if (what === 1) return { ...now, route: now.route.map((it) => ({ ...it, price: (1 + draw(9)) / 100 })) };
  if (what === 2 && now.route.length > 1) return { ...now, route: now.route.slice(1) };
  if (what === 3) return { ...now, countries: now.countries.length > 0 ? [] : some(draw) };
  const of = pick(draw, ['installation', 'account', 'key', 'country'] as const) ?? 'account';
  const per = one(draw, 2) ? 'hour' : 'day';
  const budgets = now.budgets.filter((it) => it.of !== of || it.per !== per);
  if (budgets.length < now.budgets.length && one(draw, 2)) return { ...now, budgets };
  const bound = one(draw, 2) ? { messages: 1 + draw(8) } : { money: (1 + draw(20)) / 20 };
  return { ...now, budgets: [...budgets, { of, per, ...bound }] };
}

/** A moment, or until just before, at, or just after something ends. */
function wait({ fixed, now, verifications, keys }: State, draw: Draw): number {
  const kind = weighted(draw, WEIGHTS.waits);
  const from = late(draw, verifications)?.asked.until;
  if (kind === 'moment' || from === undefined) return draw(5 * SECOND + 1);
  const endOf = (it: readonly Since<Key | undefined>[]) => it.at(-1)?.value?.ends?.until ?? [];
  const ends = {
    code: from + fixed.code.validFor,
    window: from + rateOf(pick(draw, [...fixed.limits.sendsPerDestination, ...RATES]) ?? '1/1m').window,
    period: (Math.floor(now / HOUR) + 1) * HOUR,
    overlap: pick(draw, [...keys.values()].flatMap(endOf)) ?? now,
    repeat: from + (one(draw, 2) ? DAY : 30 * SECOND),
    retention: from + fixed.retention.verifications,
  };
  return Math.max(0, ends[kind] - now + (pick(draw, [-SECOND, -1, 0, 1, SECOND]) ?? 0));
}
