import type { Channel, Command } from '../command.ts';
import type { Draw } from '../machine/random.ts';
import { destinationFull } from '../model/codes.ts';
import { isOver, keysOf } from '../model/common.ts';
import type { Model } from '../model/model.ts';
import type { Key, State, Verification } from '../model/state.ts';
import { liveNow } from '../model/state.ts';
import { DAY, FIRST_KEYS, HOUR, MAGIC, MINUTE, POOL, SECOND } from '../model/table.ts';
import { carriersOf } from '../routes.ts';
import { late, one, pick, weighted } from './chance.ts';
import { anyChannel } from './channels.ts';
import { repeatOf } from './edges.ts';
import { mayRefuse, someRefuse } from './lookups.ts';
import { by, inPortal, rule } from './portal.ts';
import { changedLive, someBudget, someCountries } from './reload.ts';
import { nextKey } from './situations/situation.ts';
import { atEdge, wait } from './waits.ts';
import { hook, STRINGS, verdict } from './words.ts';

/** How often each kind of command comes, and within it what is interesting: the only figures to turn. */
const WEIGHTS = {
  commands: {
    ...{ verify: 22, 'twilio-send': 8, hook: 4, repeat: 6, confirm: 26, look: 8, wait: 16 },
    ...{ 'app-start': 5, 'app-check': 8 },
    ...{ 'camara-send': 6, 'camara-check': 7, 'twilio-check': 12, 'twilio-fetch': 3, 'twilio-update': 5 },
    ...{ keyword: 4, block: 5, erase: 2, copy: 1, export: 1, reload: 2, settings: 5 },
    ...{
      'change-webhook': 3,
      'enable-webhook': 2,
      'disable-webhook': 1,
      'rotate-webhook': 2,
      'test-webhook': 1,
      'replay-webhook': 2,
    },
    ...{ feedback: 5, 'twilio-feedback': 3, judge: 3, open: 4 },
    ...{ member: 2, list: 3, reveal: 1, 'test-carrier': 3, 'sign-in': 2, prove: 2, 'sign-out': 1 },
    ...{ 'make-key': 4, 'rotate-key': 2, 'bound-key': 2, 'change-key': 2, 'revoke-key': 1 },
    ...{ 'guard-rule': 4, 'lift-rule': 4 },
  },
  keys: { good: 40, kind: 4, foreign: 2, ended: 2, none: 1 },
  codes: { right: 10, wrong: 6, sibling: 3 },
};
const RATES = ['1/1m', '2/1m', '3/10m', '4/1h'];
const BROWSERS = ['x', 'y'];
const BROUGHT = ['482913', '482914', '4829'];

/** The next command, guided by what the model knows. `draw(n)` gives 0 to n - 1: all chance comes from it. */
export function suggest(model: Model, draw: Draw): Command {
  const [s] = model.states;
  return s === undefined ? { do: 'wait', ms: SECOND } : command(s, draw);
}

const nowOf = (s: State) => ({ at: s.now, until: s.now });

function command(s: State, draw: Draw): Command {
  const edge = one(draw, 2) ? atEdge(s, draw) : undefined;
  if (edge !== undefined) return edge;
  const keys = [...s.keys.keys()].flatMap((name) => keysOf(s, name, nowOf(s)).good);
  const without = ['a', 'b'].find((it) => !keys.some((key) => key.account === it && !key.test));
  const account = without ?? (one(draw, 3) ? 'b' : 'a');
  const kind = without === undefined ? kindOf(s, draw) : 'make-key';
  // much of what is between two doors needs both of them open before the first code
  const off = [...s.settings].find(
    ([, it]) => it.at(-1)?.value.twilio === false || it.at(-1)?.value.camara === false,
  )?.[0];
  if (off !== undefined && (/^(twilio|camara)/.test(kind) || s.verifications.length === 0) && one(draw, 2))
    return refusing(off, someRefuse(s, draw));
  if (mayRefuse(s, account, draw)) return refusing(account, someRefuse(s, draw));
  const last = late(draw, s.verifications, (it) => !it.test && it.only === undefined);
  const number = last?.to ?? POOL[draw(POOL.length)] ?? '';
  switch (kind) {
    case 'verify':
    case 'twilio-send':
    case 'camara-send':
    case 'hook':
      return send(s, draw, kind);
    case 'repeat':
      return repeat(s, draw);
    case 'app-start':
    case 'app-check':
      return onPage(s, draw, kind);
    case 'keyword': {
      // more often to one that two accounts wrote to
      const its = s.verifications.filter((it) => !it.test && it.attempts.length > 0);
      const both = its.filter((it) => its.some((v) => v.to === it.to && v.account !== it.account));
      const to = late(draw, one(draw, 3) ? its : both) ?? last;
      const carrier = to?.attempts.at(-1)?.carrier ?? pick(draw, carriersOf(liveNow(s)))?.carrier ?? 'none';
      // who is on a list by their own word takes it back
      const off = its.filter((it) => s.blocked.get(`${it.account} ${it.to}`)?.at(-1)?.value === true);
      const back = one(draw, 3) ? late(draw, off) : undefined;
      const by = back?.attempts.at(-1)?.carrier ?? carrier;
      const word = back === undefined && !one(draw, 6) ? 'STOP' : 'START';
      return { do: kind, from: back?.to ?? to?.to ?? number, carrier: by, word };
    }
    case 'block': {
      const listed = pick(draw, [...s.blocked], ([, changes]) => changes.at(-1)?.value !== false);
      const [owner = last?.account ?? account, what] = listed?.[0].split(' ') ?? [];
      if (what && one(draw, 2)) return { do: 'unblock', account: owner, what, ...by(s, draw) };
      return { ...by(s, draw), do: kind, account: owner, what: one(draw, 2) ? number.slice(0, 5) : number };
    }
    case 'copy':
    case 'erase': {
      const who = by(s, draw);
      const where = 'by' in who || one(draw, 2) ? { account } : {};
      const lists = kind === 'erase' && one(draw, 3) ? { lists: true } : {};
      const listed = one(draw, 2) ? pick(draw, POOL, (it) => isListed(s, it)) : undefined;
      return { ...who, do: kind, number: listed ?? number, ...where, ...lists };
    }
    case 'reload':
      return { do: kind, live: changedLive(liveNow(s), draw) };
    case 'settings':
      return {
        ...by(s, draw),
        ...{
          do: kind,
          account,
          twilio: !one(draw, 4),
          camara: !one(draw, 4),
          countries: one(draw, 3) ? someCountries(draw) : [],
        },
        ...(one(draw, 2) ? { sends: [pick(draw, RATES) ?? ''] } : {}),
        ...(one(draw, 2) ? { wrong: [pick(draw, RATES) ?? ''] } : {}),
        ...(one(draw, 3) ? { length: 4 + draw(7) } : {}),
        ...(one(draw, 4) ? { budgets: [someBudget(draw, ['account', 'key', 'country'])] } : {}),
        ...someRefuse(s, draw),
      };
    case 'wait':
      return { do: kind, ms: wait(s, draw) };
    case 'make-key':
    case 'rotate-key':
    case 'bound-key':
    case 'change-key':
    case 'revoke-key': {
      const name = nextKey(s);
      const key = keyFor(s, draw, kind === 'rotate-key' && one(draw, 2) ? isBound : () => true);
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
          ...(without || one(draw, 2) ? {} : { lasts: pick(draw, [MINUTE, HOUR, DAY]) ?? DAY }),
        };
      const who = by(s, draw, one(draw, 12));
      if (kind === 'rotate-key') return { do: kind, key, name, overlap, ...who };
      if (kind === 'revoke-key') return { do: kind, key, ...who };
      if (kind === 'change-key') {
        // of the first keys the model does not know when they were made
        const isFirst = FIRST_KEYS.some((it) => it.name === key);
        const lasts = isFirst ? undefined : pick(draw, [undefined, null, MINUTE, HOUR, DAY]);
        const end = lasts === undefined ? {} : { lasts };
        return { do: kind, key, ...end, ...(isFirst || one(draw, 2) ? { customCodes } : {}), ...who };
      }
      const channels = pick(draw, [[], [], ['sms'], ['voice'], ['sms', 'rcs'], ['flashcall']]) ?? [];
      return { do: kind, key, channels, countries: one(draw, 2) ? [] : someCountries(draw), ...who };
    }
    case 'change-webhook': {
      const full = s.endpoints.get(account)?.at(-1)?.value.full === true;
      const types =
        pick(draw, [[], [], ['delivery.accepted', 'verification.expired'], ['verification.requested']]) ?? [];
      return { do: kind, account, ...by(s, draw), ...(one(draw, 2) ? { types } : { full: !full }) };
    }
    case 'enable-webhook':
    case 'disable-webhook':
    case 'rotate-webhook':
    case 'test-webhook':
      return { do: kind, account, ...by(s, draw) };
    case 'replay-webhook': {
      const ago = pick(draw, [MINUTE, HOUR, DAY, 3 * DAY]) ?? DAY;
      return { do: kind, account, ...by(s, draw), ago, all: !one(draw, 4) };
    }
    case 'export':
      return { do: kind };
    case 'guard-rule':
    case 'lift-rule':
      return rule(s, draw, kind, account, last);
    case 'sign-in':
    case 'prove':
    case 'sign-out':
    case 'member':
    case 'list':
    case 'reveal':
    case 'open':
    case 'judge':
    case 'test-carrier':
      return inPortal(s, draw, kind, account);
    default:
      return ask(s, draw, kind);
  }
}
/** With both further doors open. */
const refusing = (account: string, refuse: object): Command => ({
  ...{ do: 'settings', account, twilio: true, camara: true, countries: [] },
  ...refuse,
});
const isBound = (it: Key) => it.channels.length + it.countries.length > 0;

/** What waits is worth a reload, the more so while a budget applies. */
function kindOf(s: State, draw: Draw): keyof typeof WEIGHTS.commands {
  const waits = (v: Verification) =>
    !v.test && !v.attempts.some((it) => it.did === 'accepted') && isOver(s, v, nowOf(s)) === 'no';
  const isReload = one(draw, liveNow(s).budgets.length > 0 ? 10 : 25) && s.verifications.some(waits);
  return isReload ? 'reload' : weighted(draw, WEIGHTS.commands);
}
/** A key by name: one that suits, or one of the other kind, of another account, one that has ended, or none at all. */
function keyFor(s: State, draw: Draw, suits: (key: Key) => boolean, account?: string): string {
  const which = weighted(draw, WEIGHTS.keys);
  const all = [...s.keys.keys()].map((name) => ({ name, ...keysOf(s, name, nowOf(s)) }));
  const isGood = (it: (typeof all)[number]) => it.good.some(suits);
  if (which === 'none') return 'nobody';
  const kin = which === 'kind' ? all.filter((it) => it.good.some((key) => key.account === account)) : all;
  if (which === 'foreign' || which === 'kind') return pick(draw, kin, (it) => !isGood(it))?.name ?? 'b-test';
  const ended = which === 'ended' ? pick(draw, all, (it) => it.bad) : undefined;
  return (ended ?? late(draw, all, isGood))?.name ?? 'a-live';
}

function send(s: State, draw: Draw, kind: 'verify' | 'twilio-send' | 'camara-send' | 'hook'): Command {
  const [isTest, mayBeBound] = [one(draw, 4), one(draw, 3)];
  const key = keyFor(s, draw, (it) => it.test === isTest && (mayBeBound || !isBound(it)));
  const good = keysOf(s, key, nowOf(s)).good.at(-1);
  // numbers that were just sent to are near their limits, and have several codes
  const [isAny, from] = [good?.test === true || one(draw, 4), s.verifications];
  const its = from.filter((it) => isAny || (it.account === good?.account && it.test === good.test));
  const used = one(draw, 4) ? undefined : late(draw, its)?.to;
  const listed = one(draw, 6) ? pick(draw, POOL, (it) => isListed(s, it)) : undefined;
  const magic = one(draw, good?.test ? 3 : 30) ? pick(draw, MAGIC) : undefined;
  const brings = one(draw, good?.customCodes ? 4 : 20) ? { code: pick(draw, BROUGHT) ?? '' } : {};
  const to = listed ?? magic ?? used ?? POOL[draw(POOL.length)] ?? '';
  if (kind === 'hook') return { ...hook(draw), to, code: pick(draw, BROUGHT) ?? '' };
  if (kind === 'camara-send') return { do: kind, key, to };
  const channel = anyChannel(s, draw);
  const once = one(draw, 4) ? { once: pick(draw, STRINGS) ?? '' } : {};
  const length = one(draw, 8) && !('code' in brings) ? { length: 4 + draw(7) } : {};
  // of a missed call nobody chooses the code
  if (channel === 'flashcall' && kind === 'verify' && !one(draw, 6))
    return { do: 'verify', key, to, channel, ...once };
  if (kind === 'twilio-send') return { do: kind, key, to, channel: calledBy(channel), ...brings, ...once };
  return { do: 'verify', key, to, channel, ...brings, ...length, ...once };
}
/** A page asks for a code, or sends what somebody typed there. */
function onPage(s: State, draw: Draw, kind: 'app-start' | 'app-check'): Command {
  const browser = pick(draw, BROWSERS) ?? '';
  const [asking, own] = [pick(draw, [...s.browsers]), send(s, draw, 'verify')];
  const v = asking && s.made.get(asking[1].made);
  if (kind === 'app-start' || asking === undefined || v === undefined)
    return own.do !== 'verify'
      ? own
      : { do: 'app-start', key: own.key, browser, to: own.to, channel: own.channel };
  const key = keyFor(s, draw, (it) => it.account === v.account && it.test === v.test, v.account);
  return { do: 'app-check', key, browser: one(draw, 12) ? browser : asking[0], code: guess(s, draw, v) };
}

/** Twilio's name of a channel. */
const calledBy = (channel: Channel) => (channel === 'voice' ? 'call' : channel);
const isListed = (s: State, to: string) =>
  [...s.blocked].some(([it, changes]) => to.startsWith(it.split(' ')[1] ?? '') && changes.at(-1)?.value);

/** A request again: under the same key or another one, of either kind, and by the same door or another one. */
function repeat(s: State, draw: Draw): Command {
  const listed = one(draw, 2)
    ? late(draw, [...s.once], ([, it]) => isListed(s, it.verification.to))
    : undefined;
  const first = listed ?? late(draw, [...s.once]);
  const again = first && repeatOf(s, first);
  if (again === undefined || !('key' in again))
    return again ?? { ...send(s, draw, 'verify'), ...{ once: pick(draw, STRINGS) ?? '' } };
  const other = one(draw, 3)
    ? keyFor(s, draw, (it) => it.account === first?.[1].verification.account)
    : again.key;
  const it = { ...again, key: other };
  if (it.do === 'confirm' && one(draw, 4)) return { ...it, code: `${100000 + draw(3)}` };
  if (it.do === 'verify' && it.length === undefined && one(draw, 5))
    return { ...it, do: 'twilio-send', channel: calledBy(it.channel) };
  if (it.do === 'twilio-send' && one(draw, 5))
    return { ...it, do: 'verify', channel: it.channel === 'call' ? 'voice' : it.channel };
  return it;
}

/** The right code, as far as it is known; that of another verification of the number; or a wrong one. */
function guess(s: State, draw: Draw, v: Verification): string {
  const which = weighted(draw, WEIGHTS.codes);
  const other = late(draw, s.verifications, (it) => it !== v && it.to === v.to);
  const seen = late(draw, s.loose, (it) => it.to === v.to)?.code;
  const code = which === 'right' ? v.code : other?.code;
  return (which === 'wrong' ? undefined : (code ?? seen)) ?? `${100000 + draw(3)}`;
}

type Asks =
  | 'confirm'
  | 'look'
  | 'feedback'
  | 'twilio-feedback'
  | 'camara-check'
  | 'twilio-check'
  | 'twilio-fetch'
  | 'twilio-update';
/** Something about a code: more often one that is open and new, or whose number has no guesses left. */
function ask(s: State, draw: Draw, kind: Asks): Command {
  const made = [...s.made];
  const open = made.filter(([, it]) => !it.confirmed && isOver(s, it, nowOf(s)) !== 'yes');
  const status = one(draw, 2) ? 'canceled' : 'approved';
  const isApproval = kind === 'twilio-update' && status === 'approved';
  const pressed = open.filter(([, it]) => destinationFull(s, it, nowOf(s)).may);
  const brought = isApproval ? (pressed.length > 0 ? pressed : open).filter(([, it]) => it.custom) : [];
  const wished = brought.length > 0 ? brought : pressed.length > 0 && one(draw, 4) ? pressed : open;
  const ended = one(draw, 6) ? made.filter(([, it]) => it.ended !== undefined) : [];
  const isVerdict = kind === 'feedback' || kind === 'twilio-feedback';
  const any = isVerdict || one(draw, 4) || wished.length === 0;
  const [n, v] = late(draw, ended) ?? late(draw, any ? made : wished) ?? [];
  if (n === undefined || v === undefined) return send(s, draw, 'verify');
  const key = keyFor(s, draw, (it) => it.account === v.account && it.test === v.test, v.account);
  const id = one(draw, 30) ? -1 : n;
  if (isVerdict) return verdict(draw, kind, key, id);
  if (kind === 'look' || kind === 'twilio-fetch') return { do: kind, key, id };
  if (kind === 'twilio-update') return { do: kind, key, id, status };
  const code = guess(s, draw, v);
  if (kind === 'camara-check') return { do: kind, key, id, code };
  if (kind === 'twilio-check') return { do: kind, key, of: one(draw, 3) ? id : v.to, code };
  return { do: kind, key, id, code, ...(one(draw, 3) ? { once: pick(draw, STRINGS) ?? '' } : {}) };
}
