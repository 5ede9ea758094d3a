import { routeOf } from '../routes.ts';
import { type Ask, askOf, mayBeInProgress } from './asking.ts';
import { boundsOf } from './bounds.ts';
import { namesBudget } from './budgets.ts';
import { hasRouteCap, routeFull } from './caps.ts';
import { endEarlier } from './codes.ts';
import { authenticated, inEffect, keysOf, must, over, retryAfter, textOf } from './common.ts';
import { isByNumber, isFull, limitsOfKey, mayBeFull, namesLimit, settingsOf, spend } from './counting.ts';
import { ENDING_LENGTH, endingsFull, isMissedCall, namesShare } from './endings.ts';
import { readHook } from './hooks.ts';
import { lookUp, lookUpUnheard, mayHavePaid } from './lookups.ts';
import { settleBlock } from './operator.ts';
import type { Command, Key, Settings, Span, State, Verification } from './state.ts';
import { listOf, liveNow, places } from './state.ts';
import { codeRead, DAY, idIn, isDone, MAGIC, MINUTE, NOT_ALLOWED, planOf, reasonsOf } from './table.ts';
import { waysOf } from './ways.ts';

const PAGES = {
  rest: 'api.md, POST /verify',
  twilio: 'twilio.md',
  camara: 'camara.md',
  hook: 'hooks.md',
  portal: 'portal.md',
} as const;
const placeOf = (it: Ask, key: Pick<Key, 'account' | 'test'>) =>
  `${it.door === 'hook' ? 'hook' : 'send'} ${key.account} ${key.test} ${it.once}`;
const bodyOf = (it: Ask) => JSON.stringify([it.to, it.channel, it.code ?? null, it.length ?? null]);

interface Fault {
  readonly codes: readonly string[];
  readonly sure: boolean;
  /** Looked up after the guard was asked (api.md, Answers that are not 200). */
  readonly late: boolean;
}
/** Why it must or may be refused with 400, under each of the keys and settings that may be in effect. */
export function faultsOf(
  s: State,
  ask: Ask,
  keys: readonly Pick<Key, 'account' | 'test' | 'channels' | 'countries' | 'customCodes'>[],
  all: readonly Settings[],
  now: Span,
): Fault[] {
  const { country, type } = planOf(ask.to);
  const live = liveNow(s);
  const test = keys.some((it) => it.test);
  const found: Fault[] = [];
  const add = <T>(
    code: string,
    sure: boolean,
    list: readonly T[],
    holds: (it: T) => boolean,
    late = false,
  ) => {
    if (list.some(holds)) found.push({ codes: code.split('|'), sure: sure && list.every(holds), late });
  };
  const fact = (code: string, holds: boolean, sure = true) => add(code, sure, [holds], (it) => it);
  const outside = (list: readonly string[]) => list.length > 0 && !list.includes(country);
  const valid = type !== 'invalid'; // which of several things is wrong is said first is open
  fact(`not_e164|invalid_number${ask.to === '' ? '|too_short' : ''}`, !valid);
  const isOffered = routeOf(live, ask.channel) !== undefined && !(ask.door === 'twilio' && isMissedCall(ask));
  // to a test of a carrier some route must lead (portal.md, Tests of a carrier)
  fact(ask.only === undefined ? `${NOT_ALLOWED}channel` : 'no_route', !isOffered);
  fact(`${NOT_ALLOWED}options/code_length`, isMissedCall(ask) && ask.length !== undefined);
  fact(`${NOT_ALLOWED}options/custom_code`, isMissedCall(ask) && ask.code !== undefined);
  // destinations.md has test keys refused only premium-rate and shared-cost numbers; api.md makes no such exception
  fact('landline', type === 'landline' && ask.channel !== 'voice', !test);
  add('channel_not_allowed', true, keys, ({ channels: it }) => it.length > 0 && !it.includes(ask.channel));
  add('country_not_allowed', valid, keys, (it) => outside(it.countries));
  add('not_permitted', true, keys, (it) => ask.code !== undefined && !it.customCodes && !it.test);
  fact('custom-code', !/^\d{4,10}$/.test(ask.code ?? '0000'));
  fact('no_route', test ? ask.to === MAGIC[4] : live.route.length === 0);
  if (test) return found; // keys.md, Settings; destinations.md; do-not-send.md
  fact('personal_number', type === 'personal');
  add('country_not_allowed', valid, all, (it) => outside(it.countries) || outside(live.countries));
  for (const [what, changes] of s.blocked) {
    const [account, listed = ''] = what.split(' ');
    if (account !== keys[0]?.account || !ask.to.startsWith(listed)) continue;
    // a number counts from the next request on, a range within a second (do-not-send.md)
    const states = listed === ask.to ? changes.slice(-1).map((it) => it.value) : inEffect(changes, now);
    add('do_not_send', !states.includes(undefined), states, (it) => it !== false, listed === ask.to);
  }
  return found;
}
/** Refusals that count against no limit, for no key (do-not-send.md; destinations.md). */
const FREE = ['do_not_send', 'country_not_allowed', 'personal_number'];

export function sendCode(s: State, heard: Command, group: readonly Command[]): readonly State[] {
  const command = readHook(heard);
  const ask = askOf(command);
  if ('odd' in command.command) {
    const { status } = command.answer;
    must(
      status === 401 || status === 503,
      `${status} to who is not the system (hooks.md, What holds for all)`,
    );
    return [s];
  }
  const key = ask && authenticated(s, ask.key, command, PAGES[ask.door]);
  if (ask === undefined || key === undefined) return [s];
  const page = PAGES[ask.door];
  const { answer } = command;
  const said = reasonsOf(answer, ask.door);
  const words = said.flat();
  const all = settingsOf(s, key.account, command);
  must(isDone(answer) || said.length > 0, `${answer.status} is no documented refusal of a code (${page})`);
  if (answer.status === 503) retryAfter(command, page);
  const { door } = ask;
  if (door === 'twilio' || door === 'camara') {
    if (words.includes(`${door}-off`) && !all.every((it) => it[door])) return [s];
    must(answer.status === 503 || all.some((it) => it[door]), `it is off, and answered (${page})`);
  }
  const isCall = isMissedCall(ask) && !key.test;
  if (isCall && answer.status === 503) s.unclear.push(command);
  const asker = { account: key.account, key: key.name, to: ask.to, test: key.test, channel: ask.channel };
  const isBeside = group.some((it) => it.n !== command.n && askOf(it) !== undefined);
  const looked = (became: Parameters<typeof lookUp>[4]) =>
    lookUp(s, asker, all, command, became, group.length > 1);
  if (answer.status === 503) lookUpUnheard(s, asker, all, command, group.length > 1);
  else if (heard.command.do === 'app-start') mayHavePaid(s, asker, all, command);
  if (answer.status === 503 && !words.includes('outcome-unknown')) {
    // what was paid counts for the key (lookups.md, What it costs)
    if (s.unanswered.includes(command.n)) spend(s, key.name, command, false);
    return [s];
  }

  const isHook = ask.door === 'hook';
  const isSame = (it: Command) => askOf(it)?.once === ask.once && (it.command.do === 'hook') === isHook;
  // A repetition: what was answered 200 under the same key is answered again, whatever has changed since.
  const place = placeOf(ask, key);
  // of what is no channel there nothing is a repetition (twilio.md, What a request means here)
  const isNone = door === 'twilio' && isMissedCall(ask);
  const first = ask.once === undefined || isNone ? undefined : s.once.get(place);
  const time = first === undefined ? 'yes' : over(first, ask.repeat, command);
  // an erasure deletes idempotency keys (personal-data.md); of a hook's repetition after one nothing is said
  const gone = first?.verification.erased === undefined ? 'no' : ask.door === 'hook' ? 'may' : 'yes';
  const age = time === 'yes' || gone === 'yes' ? 'yes' : gone === 'may' ? 'may' : time;
  const conflict = age !== 'yes' && first !== undefined && first.body !== bodyOf(ask);
  if (first !== undefined && age !== 'yes' && !conflict) {
    const { verification: v } = first;
    if (answer.status === 503) return [s];
    // The façade has the keys of /verify (twilio.md, What a request means here).
    const id = isDone(answer) ? promised(ask, command) : undefined;
    if (isDone(answer) && (id === undefined || v.id === undefined || v.id === id)) {
      // whom nothing is told may have been taken for somebody new
      const fresh = age === 'may' && id === undefined ? structuredClone(s) : undefined;
      v.id ??= id;
      if (id !== undefined) s.made.set(command.n, v);
      if (fresh === undefined) return [s];
      accept(fresh, ask, key, all, command);
      return [s, fresh];
    }
    // also while another repetition is under way
    const begun = s.hanging.has(place) || mayBeInProgress(s, command, group, place, isSame);
    if (words.includes('idempotency-in-progress') && begun) return [s];
    must(age === 'may', `a repetition was not given the first answer (${page})`);
  }

  // A new request: what forbids a 200, and what a refusal may stand for.
  const { good } = keysOf(s, ask.key, command);
  const faults = faultsOf(s, ask, good, all, command);
  const sure = faults.find((it) => it.sure)?.codes.join(' or ');
  const ofKey = limitsOfKey(s, key.name, command);
  const bounds = boundsOf(s, { ...ask, key: key.name }, key, all, command, group);
  const { ofNumber, rooms, guarded } = bounds;
  const route = key.test ? { sure: false, may: false } : routeFull(s, ask.channel, command);
  const endings = isCall ? endingsFull(s, key.account, command) : { sure: false, may: false };
  const magic = key.test && ask.to === MAGIC[5];
  const forbidden =
    [
      conflict && age === 'no' && `another request was answered under one Idempotency-Key (${page})`,
      sure !== undefined && `a code was promised that is to be refused with ${sure} (${page})`,
      magic && 'the test number that is over its limit was answered 200 (api.md, Test keys)',
      route.sure && `more codes than its dailyCap went over the route of ${ask.channel} (routing.md)`,
      endings.sure &&
        !isBeside &&
        'a missed call was promised, and no ending is left (flashcall.md, The numbers)',
      isFull(ofKey) && `${key.name} got more codes than its limit of requests allows (api.md, Limits)`,
    ].find((it) => it !== false) ?? bounds.forbidden;
  if (answer.status === 503) {
    if (ask.once !== undefined) s.hanging.set(place, command.until);
    const done = forbidden === undefined ? structuredClone(s) : undefined; // else it would have been refused
    // also what was not written may count for limits (postgresql.md)
    spend(s, key.name, command, false);
    s.spared.push(command);
    listOf(s.sends, places({ ...key, to: ask.to })).push({
      at: command.at,
      until: command.until,
      sure: false,
    });
    if (done === undefined) return [s];
    accept(done, ask, key, all, command);
    // who wrote it does not send it, and whoever does later reserves again (api.md, What a 503 means; budgets.md)
    for (const v of done.verifications.slice(-1)) v.crashes += 1;
    return [s, done];
  }
  // test keys are not affected
  if (!key.test) settleBlock(s, `${key.account} ${ask.to}`, words.join() === 'do_not_send', command);
  if (isDone(answer)) {
    must(forbidden === undefined, forbidden ?? '');
    const id = promised(ask, command);
    must(id === undefined || !s.verifications.some((it) => it.id === id), `an id was given twice (${page})`);
    looked('sent');
    accept(s, ask, key, all, command, id);
    return [s];
  }
  const may = new Set(faults.flatMap((it) => it.codes));
  if (conflict) may.add('idempotency-key-reused');
  if (sure === undefined || conflict) {
    // checks come in this order: 400, 429 (api.md)
    if (mayBeFull(ofKey)) may.add('rate-limited');
    for (const it of [...bounds.may, ...(magic ? ['quota-exceeded'] : [])]) may.add(it);
  }
  const isBefore = conflict || !faults.some((it) => it.sure && !it.late);
  const refused = words.includes('guarded') ? looked('guarded') : undefined;
  const paid = refused ?? looked('other');
  if (isBefore && (guarded !== 'no' || refused !== undefined)) may.add('guarded');
  const isOverCap = route.may || (isBeside && hasRouteCap(s));
  if (isBefore && (isOverCap || endings.may)) may.add('daily-cap-reached');
  // the first may be refused as well
  const begun = ask.once !== undefined && mayBeInProgress(s, command, group, place, isSame);
  if (begun) may.add('idempotency-in-progress');
  const wrong = said.find((it) => !it.some((word) => may.has(word)))?.join(' or ');
  must(wrong === undefined, `refused with ${wrong}, without a reason (${page})`);
  const is = (word: string) => words.includes(word);
  const isLimit = answer.status === 429 || is('quota-exceeded');
  if (isLimit && !is('idempotency-in-progress')) retryAfter(command, page);
  const midnight = DAY - (command.at % DAY);
  const isUntilThen = Math.abs(Number(answer.headers['retry-after']) * 1000 - midnight) < MINUTE;
  if (isCall && words.join() === 'daily-cap-reached' && !isOverCap) namesShare(command, s);
  must(
    words.join() !== 'daily-cap-reached' || isUntilThen || endings.may,
    `Retry-After of a daily cap is not the end of the day (${page})`,
  );
  s.spared.push(command);
  if (ask.door === 'rest' && is('quota-exceeded') && !magic) namesLimit(command, ofNumber, page);
  if (ask.door === 'rest' && is('rate-limited')) namesLimit(command, [ofKey], page);
  must(
    ask.door !== 'rest' || !is('guarded') || answer.headers['retry-after'] === '60',
    `another Retry-After than 60 (guard.md)`,
  );
  if (is('budget-exhausted')) namesBudget(command, textOf(answer.body, 'budget'), rooms);
  // Whether other refusals count for the key is open.
  // A hook’s repetition in the same moment shares the answer, and counts nowhere (hooks.md, What holds for all).
  const isShared = ask.door === 'hook' && begun;
  // what was paid counts for the key (lookups.md, What it costs)
  const isPaid = paid?.isPaid === true;
  const counts =
    ['budget-exhausted', 'guarded'].includes(words.join()) &&
    (is('budget-exhausted') || (isPaid && !mayBeFull(ofKey)));
  if (isPaid || !words.every((it) => FREE.includes(it))) spend(s, key.name, command, counts && !isShared);
  return [s];
}

/** What the answer to a promised code says of it, and its id (api.md, POST /verify; twilio.md; hooks.md). */
function promised(ask: Ask, { answer: { body }, command }: Command): string | undefined {
  // it is told nothing but "ok" (hooks.md, Authgear)
  if (command.do === 'hook' && command.system === 'authgear') return undefined;
  const [id, page] = [idIn(body, ask.door), PAGES[ask.door]];
  must(id !== undefined, `200 without an id (${page})`);
  if (ask.door === 'hook' || ask.door === 'camara') return id;
  const number = textOf(body, ask.door === 'twilio' ? 'to' : 'destination');
  must(number === ask.to, `the answer names ${number} instead of ${ask.to} (${page})`);
  const channel = ask.door === 'twilio' && ask.channel === 'voice' ? 'call' : ask.channel;
  must(textOf(body, 'channel') === channel, `the answer names another channel than ${channel} (${page})`);
  const fresh = ask.door === 'rest' || textOf(body, 'status') === 'pending';
  must(fresh, 'a code that was just sent is not pending (twilio.md)');
  return id;
}

export function accept(
  s: State,
  ask: Ask,
  key: Pick<Key, 'name' | 'account' | 'test'>,
  all: readonly Settings[],
  now: Command,
  id?: string,
): void {
  const { at, until } = now;
  const { door, to, channel, length, only } = ask;
  const on = all.map(isByNumber);
  const byNumber = on.includes(false) ? (on.includes(true) ? undefined : false) : true;
  const code = ask.code === undefined ? undefined : codeRead(ask.code);
  const twins = s.verifications.filter((it) => code !== undefined && it.to === to && it.code === code);
  for (const it of twins) it.twin = true;
  const v: Verification = {
    ...{ key: key.name, account: key.account, test: key.test, door, to, channel },
    ...{ id, code, custom: code !== undefined, ...(only !== undefined && { only }) },
    lengths: isMissedCall(ask)
      ? [ENDING_LENGTH]
      : all.map((it) => length ?? it.length ?? s.fixed.code.length),
    asked: { at, until },
    reserved: key.test ? [] : waysOf(liveNow(s), ask),
    ...{ not: [], wrong: 0, attempts: [], crashes: 0, twin: twins.length > 0 },
    ...{ exhausted: undefined, confirmed: undefined, ended: undefined, erased: undefined },
    // a missed call's code is never found by its number (flashcall.md, How safe it is)
    byNumber: only === undefined && !isMissedCall(ask) && ask.door !== 'hook' && byNumber,
  };
  endEarlier(s, v, now);
  s.verifications.push(v);
  // Who asked knows it only by its answer.
  if (id !== undefined) s.made.set(now.n, v);
  listOf(s.sends, places(v)).push({ at, until, sure: true });
  if (only !== undefined) return; // nobody asked for it with a key
  spend(s, key.name, now, true);
  const once = { at, until, body: bodyOf(ask), verification: v, answer: door };
  if (ask.once !== undefined) s.once.set(placeOf(ask, key), once);
}
