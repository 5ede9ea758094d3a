import type { Command as Request } from '../command.ts';
import { carriersOf, mayBeNext } from '../routes.ts';
import { inEffect, isPast, keysOf, must } from './common.ts';
import { ceilingOf, isByNumber, settingsOf } from './counting.ts';
import { wantedBy } from './questions.ts';
import type { Command, Key, Settings, State } from './state.ts';
import { ALWAYS, listOf, liveNow } from './state.ts';
import { DAY, isDone, isRange, planOf, rateOf, reasonsOf, WRITTEN } from './table.ts';

type Refusal = 'no' | 'may' | 'must';
/** `isTold`: whoever asked for it was told what came of it. */
type Effect = (s: State, isTold: boolean) => void;
/** What operators, owners and people who answer messages do: done, refused, or not known. */
export function changes(s: State, command: Command, refusal: Refusal, page: string, effect: Effect): State[] {
  const { status } = command.answer;
  if (status < 400) {
    must(refusal !== 'must', `${command.command.do} was done, which is to be refused (${page})`);
    effect(s, true);
    return [s];
  }
  must(refusal !== 'no' || status >= 500, `${command.command.do} was refused without a reason (${page})`);
  const [word = 'outcome-unknown'] = reasonsOf(command.answer, 'rest').flat();
  if (status < 500 || word !== 'outcome-unknown' || refusal === 'must') return [s];
  const done = structuredClone(s);
  effect(done, false);
  return [s, done];
}

export function keys(s: State, command: Command): readonly State[] {
  const ask = command.command;
  const { at, until } = command;
  const unknown = { ...ALWAYS, value: undefined };
  const make = (its: State, value: Key) => its.keys.set(value.name, [unknown, { at, until, value }]);
  if (ask.do === 'make-key') {
    const { account, name, test, customCodes, lasts } = ask;
    const none = { channels: [], countries: [], before: [], revoked: false, replaced: false };
    const ends = lasts === undefined ? undefined : { at: at + lasts, until: until + lasts };
    const refusal = s.settings.has(account) ? 'no' : 'must';
    const value = {
      account,
      name,
      test,
      customCodes,
      ends,
      ...(lasts === undefined ? {} : { lasts }),
      ...none,
    };
    return changes(s, command, refusal, 'keys.md', (its, isTold) => make(its, { ...value, isLost: !isTold }));
  }
  if (!isOfKey(ask)) return [s];
  // A revoked or expired key cannot be changed (keys.md, Restrictions). Open: to revoke it again, or to rotate one twice.
  const { good, bad } = keysOf(s, ask.key, command);
  const isElsewhere = ask.at !== undefined && good.every((it) => it.account !== ask.at);
  const last = s.keys.get(ask.key)?.at(-1)?.value;
  // that one in its overlap gets no end is open, too
  const isOpen = ask.do === 'rotate-key' || (ask.do === 'change-key' && ask.lasts === null);
  const again = ask.do === 'revoke-key' ? last !== undefined : isOpen && last?.replaced === true;
  const refusal = isElsewhere || (good.length === 0 && !again) ? 'must' : bad || again ? 'may' : 'no';
  return changes(s, command, refusal, 'keys.md', (its, isTold) => {
    const key = its.keys.get(ask.key)?.at(-1)?.value;
    if (key === undefined) return;
    const list = listOf(its.keys, ask.key);
    const put = (more: Partial<Key>) => list.push({ at, until, value: { ...key, ...more } });
    if (ask.do === 'bound-key') put({ channels: ask.channels, countries: ask.countries });
    else if (ask.do === 'revoke-key') put({ revoked: true });
    else if (ask.do === 'change-key') put(changed(key, ask, list[1]?.at ?? at, command));
    else {
      // its successor lasts as long as it was to last, and it never beyond its own end
      const after = (ms: number) => ({ at: at + ms, until: until + ms });
      const ends = key.lasts === undefined ? undefined : after(key.lasts);
      if (isTold) make(its, { ...key, name: ask.name, before: [...key.before, key.name], ends });
      const over = after(ask.overlap);
      put({ ends: key.ends !== undefined && key.ends.at < over.at ? key.ends : over, replaced: true });
    }
  });
}

const isOfKey = (it: Command['command']) =>
  it.do === 'rotate-key' || it.do === 'bound-key' || it.do === 'change-key' || it.do === 'revoke-key';

/** Its lifetime is the new one, which a successor gets (keys.md, Rotation). Test keys always may bring codes. */
function changed(
  { customCodes: before }: Key,
  { lasts, customCodes = before }: Pick<Extract<Request, { do: 'change-key' }>, 'lasts' | 'customCodes'>,
  born: number,
  { at, until }: Command,
): Partial<Key> {
  if (lasts === undefined) return { customCodes };
  if (lasts === null) return { customCodes, ends: undefined, lasts: undefined };
  return { customCodes, ends: { at: at + lasts, until: until + lasts }, lasts: at + lasts - born };
}

/** Whether one is more in every case than one of the others: more than those allow in as many of their windows as cover its own. */
function isOver(rates: readonly string[], others: readonly string[]): boolean {
  return rates
    .map(rateOf)
    .some(({ most, window }) =>
      others.map(rateOf).some((other) => most > other.most * Math.ceil(window / other.window)),
    );
}

export function settings(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'settings') return [s];
  const { at, until } = command;
  const { sends = [], wrong = [], length, twilio, camara = false, countries, budgets = [], refuse } = ask;
  const value: Settings = { sends, wrong, length, twilio, camara, countries, budgets, refuse };
  const long = [...sends, ...wrong].some((it) => rateOf(it).window > DAY); // over a day at most
  // What its ceiling would hide is refused where people set it, unless it is there already; the operator's own tools take it.
  const isHidden = (stored: Pick<Settings, 'sends' | 'wrong'>) =>
    (['sends', 'wrong'] as const).some((what) =>
      isOver(
        value[what].filter((it) => !stored[what].includes(it)),
        ceilingOf(s, liveNow(s), ask.account, what),
      ),
    );
  // only what a look-up can tell can be set (lookups.md); whether what is set already may stay is open
  const untold = wantedBy(refuse ?? {}).filter(
    (fact) => !s.fixed.lookups?.some((it) => it.tells.includes(fact)),
  );
  const isUntold = (stored: Pick<Settings, 'refuse'>) =>
    untold.some((fact) => !wantedBy(stored.refuse ?? {}).includes(fact));
  const stored = 'by' in ask ? inEffect(s.settings.get(ask.account) ?? [], command, 0) : [];
  const each = stored.map((it) => isHidden(it) || isUntold(it));
  const isRefused = !s.settings.has(ask.account) || long || (each.length > 0 && each.every((it) => it));
  const mayBeRefused = each.includes(true) || (stored.length > 0 && untold.length > 0);
  const refusal = isRefused ? 'must' : mayBeRefused ? 'may' : 'no';
  return changes(s, command, refusal, 'keys.md, Settings of an account', (its) => {
    const was = settingsOf(its, ask.account, command).some(isByNumber);
    listOf(its.settings, ask.account).push({ at, until, value });
    if (isByNumber(value) || !was) return;
    // Once it was off in between, whether codes from before are "sent after it was turned on" is open.
    for (const v of its.verifications) if (v.account === ask.account && v.byNumber) v.byNumber = undefined;
  });
}

export function clockSet(s: State, { command: ask }: Command): readonly State[] {
  if (ask.do === 'clock') s.apart = Math.max(s.apart, Math.abs(ask.ahead));
  return [s];
}

function put(s: State, place: string, { at, until }: Command, value: boolean | undefined): void {
  const list = listOf(s.blocked, place);
  if (list.length === 0) list.push({ ...ALWAYS, value: false });
  list.push({ at, until, value });
}
/** Numbers and ranges of an account's list. To add what is there, or remove what is not, is open (do-not-send.md). */
export function blocks(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'block' && ask.do !== 'unblock') return [s];
  const account = ask.at ?? ask.account;
  const place = `${account} ${ask.what}`;
  const listed = (s.blocked.get(place) ?? [{ value: false }]).at(-1)?.value;
  const value = ask.do === 'block';
  const refusal = !s.settings.has(account) ? 'must' : listed === !value ? 'no' : 'may';
  return changes(s, command, refusal, 'do-not-send.md', (its) => put(its, place, command, value));
}

/** An answer tells whether a number is on the list, where that was open. */
export function settleBlock(s: State, place: string, refused: boolean, { at, until, answer }: Command): void {
  const changes = s.blocked.get(place);
  if (changes === undefined || changes.at(-1)?.value !== undefined) return;
  // a range of the list may have refused it
  const isOfRange = [...s.blocked].some(
    ([it, its]) => it !== place && place.startsWith(it) && its.at(-1)?.value,
  );
  if ((refused && !isOfRange) || isDone(answer)) changes.push({ at, until, value: refused });
}

/** STOP and START count for the account whose message this carrier accepted last for the number (do-not-send.md). */
export function keyword(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'keyword') return [s];
  // a carrier that a reload removed hears for ten minutes at most, and one without a link not at all (operations.md)
  const routes = inEffect(s.live, command, 0).map((live) => carriersOf(live).map((it) => it.carrier));
  const here = routes.every((it) => it.includes(ask.carrier));
  return changes(s, command, here ? 'no' : 'may', 'do-not-send.md, What people send back', (its) => {
    const { accounts, sure } = lastAccounts(its, ask.from, ask.carrier, command);
    const value = ask.word === 'STOP';
    for (const account of accounts) {
      const place = `${account} ${ask.from}`;
      const now = its.blocked.get(place)?.at(-1)?.value ?? false;
      if (sure && accounts.size === 1) put(its, place, command, value);
      else if (now !== value) put(its, place, command, undefined);
    }
  });
}

/** Whose messages may be the last that it accepted, and whether one of them surely is. */
export function lastAccounts(s: State, to: string, carrier: string, now: Command) {
  const accounts = new Set<string>();
  const its = s.verifications.filter((v) => v.to === to && !v.test && isPast(s, v, now) !== 'yes');
  // nobody knows yet whose message it was
  if (s.loose.some((it) => it.to === to))
    return { accounts: new Set(its.map((v) => v.account)), sure: false };
  const attempts = its.flatMap((v) => v.attempts.map((it) => ({ it, v })));
  for (const { it, v } of attempts.sort((one, two) => two.it.answered - one.it.answered)) {
    if (it.carrier !== carrier || it.did === 'refused' || it.did === 'failed for now') continue;
    accounts.add(v.account); // just accepted, or nobody can know whether it was
    // nobody answers a call that rang
    const isCall = it.report?.at === it.at;
    const kept = isPast(s, v, now) === 'no' && it.written && !isCall && it.answered < now.at - WRITTEN;
    if (!kept || v.twin || it.did !== 'accepted') continue;
    // which of the same ms was last is open
    for (const one of attempts)
      if (one.it.carrier === carrier && one.it.answered === it.answered) accounts.add(one.v.account);
    return { accounts, sure: accounts.size === 1 };
  }
  return { accounts, sure: false };
}

/** Everything about a number goes, of all accounts or of one; lists and what limits count stay (personal-data.md). */
export function erase(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'erase') return [s];
  const refusal = planOf(ask.number).type === 'invalid' ? 'may' : 'no';
  return changes(s, command, refusal, 'personal-data.md, Answering a request', (its) => {
    const { at, until } = command;
    const isMeant = (account: string) => ask.account === undefined || ask.account === account;
    for (const v of its.verifications)
      if (v.to === ask.number && isMeant(v.account)) v.erased ??= { at, until };
    for (const account of its.settings.keys())
      if (ask.lists && isMeant(account) && !isRange(ask.number))
        put(its, `${account} ${ask.number}`, command, false);
  });
}

/** It takes everything or nothing. Whether a route may have no carriers is open (operations.md). */
export function reload(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'reload') return [s];
  const { at, until } = command;
  const refusal = !mayBeNext(ask.live) ? 'must' : ask.live.route.length === 0 ? 'may' : 'no';
  return changes(s, command, refusal, 'operations.md, Changing the configuration', (its) => {
    its.live.push({ at, until, value: ask.live });
  });
}

/** While it is full, nothing goes on. */
export function disk(s: State, { command: it, at }: Command): readonly State[] {
  const isFull = s.roomSince === Number.POSITIVE_INFINITY;
  if (it.do === 'disk' && it.isFull !== isFull) {
    s.roomSince = it.isFull ? Number.POSITIVE_INFINITY : at;
    if (it.isFull) s.fullSince = at;
  }
  return [s];
}
