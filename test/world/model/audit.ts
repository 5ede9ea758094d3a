/** What the audit log of an account must have, and may (audit-log.md). Words of actions that no document names are left open. */
import { isPast, must, textOf } from './common.ts';
import { concerned } from './guard.ts';
import { lastAccounts } from './operator.ts';
import type { Command, Logged, State } from './state.ts';
import { listOf } from './state.ts';
import { fieldOf, HOUR, isRange, MINUTE, masked } from './table.ts';
import { verdictOf } from './verdicts.ts';

const PAGE = 'audit-log.md';
/** From where members ask. */
const ADDRESS = '198.51.100.7';
type Entry = Pick<Logged, 'action' | 'about' | 'sure' | 'hour'> & {
  readonly account: string;
  /** Of a key: its name, before its prefix. */
  readonly who?: string;
};

/** What a command is in the log as, if it is done: surely if it changes something. */
function entriesOf(s: State, command: Command): readonly Entry[] {
  const ask = command.command;
  const entry = (account: string, action: string, about: Entry['about'] = '', sure = true): Entry => ({
    ...{ account, action, about, sure },
  });
  const accounts = [...s.settings.keys()];
  const listed = (account: string, what: string) =>
    (s.blocked.get(`${account} ${what}`) ?? OFF).at(-1)?.value;
  switch (ask.do) {
    case 'make-key':
      return [entry(ask.account, 'key.created', `${ask.name} (`)];
    case 'rotate-key':
    case 'bound-key':
    case 'change-key':
    case 'revoke-key': {
      const key = s.keys.get(ask.key)?.at(-1)?.value;
      if (key === undefined) return [];
      // a successor has the name of the key before (keys.md, Rotation)
      const about = `${key.before[0] ?? key.name} (`;
      if (ask.do === 'rotate-key') return [entry(key.account, 'key.rotated', about)];
      const isEnd =
        ask.do === 'change-key' && (ask.lasts ?? (ask.lasts === null ? key.ends : undefined)) !== undefined;
      const isSame = ask.do === 'revoke-key' ? key.revoked : !isEnd && isLike(ask, key);
      return [entry(key.account, 'key.', about, !isSame)];
    }
    case 'block':
    case 'unblock': {
      const [account, isAdded] = [ask.at ?? ask.account, ask.do === 'block'];
      const isNew = listed(account, ask.what) === !isAdded;
      // it names ranges, never numbers (do-not-send.md, Changing it)
      if (isRange(ask.what)) return [entry(account, 'range.', ask.what, isNew)];
      return [entry(account, isAdded ? 'number.' : 'number.unblocked', '', isNew)];
    }
    case 'keyword': {
      // one an hour for each keyword and carrier (do-not-send.md, What people send back)
      const hour = `${ask.word} ${ask.carrier}`;
      const last = lastAccounts(s, ask.from, ask.carrier, command);
      const isChange = (it: string) => listed(it, ask.from) === (ask.word === 'START');
      const isSure = (it: string) => last.sure && last.accounts.has(it) && isChange(it);
      return accounts.map((it) => ({ ...entry(it, 'number.', ask.carrier, isSure(it)), hour }));
    }
    case 'settings': {
      const before = s.settings.get(ask.account)?.at(-1)?.value;
      return [entry(ask.account, 'settings.', '', before !== undefined && !isLike(ask, before))];
    }
    case 'change-webhook':
    case 'enable-webhook':
    case 'disable-webhook':
    case 'rotate-webhook':
    case 'test-webhook':
    case 'replay-webhook': {
      const before = s.endpoints.get(ask.account)?.at(-1)?.value;
      const isSame = ask.do === 'change-webhook' && before !== undefined && isLike(ask, before);
      const isOpen = ask.do === 'test-webhook' || ask.do === 'replay-webhook';
      return [entry(ask.account, 'webhook.', '', !isSame && !isOpen)];
    }
    case 'member': {
      const before = s.people.get(ask.who)?.roles[ask.account] ?? 'none';
      return [entry(ask.account, 'member.', `${ask.who}@example.com`, before !== ask.role)];
    }
    case 'reveal': // that an owner looked at a full number: the verification’s id (personal-data.md)
      return [entry(ask.account, '', s.made.get(ask.id)?.id)];
    case 'feedback':
    case 'twilio-feedback':
    case 'judge': {
      const v = s.made.get(ask.id);
      const verdict = ask.do === 'twilio-feedback' ? verdictOf(ask.outcome) : ask.verdict;
      // the same again changes nothing (api.md, POST /verifications/{id}/feedback)
      if (v === undefined || (v.said?.verdict ?? null) === verdict) return [];
      const key = ask.do === 'judge' ? undefined : s.keys.get(ask.key)?.at(-1)?.value;
      const who = key && { who: `${key.before[0] ?? key.name} (` };
      return [{ ...entry(v.account, 'verification.', v.id), ...who }];
    }
    case 'test-carrier': // before it is sent, so a refused one may be there (portal.md, Tests of a carrier)
      return [entry(ask.account, 'carrier.tested', [ask.carrier, masked(ask.to)])];
    case 'guard-rule':
      return concerned(s, { account: undefined, ...ask }).map((it) => entry(it, 'guard.'));
    case 'lift-rule': {
      const rule = s.rules.get(ask.name)?.at(-1)?.value;
      return rule === undefined ? [] : concerned(s, rule).map((it) => entry(it, 'guard.'));
    }
    case 'export':
      return accounts.map((it) => entry(it, 'number.exported'));
    case 'copy':
    case 'erase':
      return accounts.flatMap((account) => {
        if (account !== (ask.account ?? account)) return [];
        const its = s.verifications.filter((v) => v.account === account && v.to === ask.number);
        const isHeld = its.some((v) => isPast(s, v, command) === 'no');
        const isListed = !isRange(ask.number) && listed(account, ask.number) === true;
        const number = masked(ask.number);
        if (ask.do === 'copy') return [entry(account, 'number.exported', number, isHeld || isListed)];
        const off = ask.lists === true ? [entry(account, 'number.unblocked', '', isListed)] : [];
        return [entry(account, 'number.erased', number, isHeld), ...off];
      });
    case 'sign-in': // people of the world come in past the page that writes it
    case 'prove':
    case 'sign-out':
      return accounts.map((it) => entry(it, 'session.', '', false));
    default:
      return [];
  }
}
const OFF = [{ value: false }];
/** Whether all that one says is so in the other. */
const isLike = (ask: object, other: object) =>
  Object.entries(other).every(([name, value]) => {
    const said = fieldOf(ask, name);
    return said === undefined || JSON.stringify(said) === JSON.stringify(value);
  });

/** Before a command is judged: notes in each state that it leads to what of it is in the log. */
export function logging(s: State, command: Command): (after: State) => void {
  const { status } = command.answer;
  const ask = command.command;
  const by = 'by' in ask && ask.by !== undefined;
  const who = by ? `${ask.by} (${ask.by}@example.com)` : ask.do === 'keyword' ? undefined : 'command line';
  const mayBeThere = status < 400 || status >= 500 || ask.do === 'test-carrier';
  const entries = mayBeThere ? entriesOf(s, command) : [];
  return (after) => {
    for (const { account, sure, who: own = who, ...entry } of entries) {
      const { at, until } = command;
      const list = listOf(after.logged, account);
      const hour = list.findLast((one) => entry.hour !== undefined && one.hour === entry.hour);
      const isSure = sure && status < 400;
      if (hour !== undefined && hour.at > at - HOUR) {
        hour.until = until;
        hour.sure ||= isSure;
        continue;
      }
      const address = by ? ADDRESS : null;
      // it may have begun with a later one, where the first was not sure
      const mayBeThere = hour !== undefined && hour.until > at - HOUR;
      list.push({ ...entry, who: own, address, at, until, sure: isSure && !mayBeThere });
    }
  };
}

/** What the service may write by itself. */
export function mayBeLogged(
  s: State,
  account: string,
  action: string,
  { at }: { readonly at: number },
): void {
  const entry = { action, about: '', who: undefined, address: null };
  listOf(s.logged, account).push({ ...entry, at, until: at, sure: false });
}

/** All of it from the newest to the first, nothing twice, nothing lost, and nothing that nobody did. */
export function judgeLog(s: State, account: string, body: unknown): void {
  const list = fieldOf(body, 'entries');
  const shown: readonly unknown[] = Array.isArray(list) ? list : [];
  const numbers = shown.map((it) => Number(fieldOf(it, 'seq'))).sort((one, two) => two - one);
  const isWhole = numbers.every((it, i) => it === numbers.length - i);
  must(isWhole, `the audit log of ${account} has the numbers ${numbers.join()} (${PAGE})`);
  const times = shown.map((it) => Date.parse(textOf(it, 'at') ?? ''));
  const isSorted = times.every((it, i) => it <= (times[i - 1] ?? it));
  must(isSorted, `the audit log of ${account} is not from the newest to the oldest (portal.md)`);
  const all = s.logged.get(account) ?? [];
  const foreign = unmatched(shown, all, (it, one) => isAbout(one, it));
  const what = `has what nobody did: ${JSON.stringify(foreign)}`;
  must(foreign === undefined, `the audit log of ${account} ${what} (${PAGE})`);
  const sure = all.filter((it) => it.sure);
  const lost = unmatched(sure, shown, isAbout);
  const which = `${lost?.action} ${lost?.about} by ${lost?.who}`;
  must(lost === undefined, `${which} is not in the audit log of ${account} (${PAGE})`);
}

/** The first that goes without, where each is to have one of the others that fits, and none has that of another. */
function unmatched<T, O>(list: readonly T[], others: readonly O[], fits: (it: T, other: O) => boolean) {
  const holders = new Map<O, T>();
  const seat = (it: T, tried: Set<O>): boolean =>
    others.some((other) => {
      if (tried.has(other) || !fits(it, other)) return false;
      tried.add(other);
      const holder = holders.get(other);
      if (holder !== undefined && !seat(holder, tried)) return false;
      holders.set(other, it);
      return true;
    });
  return list.find((it) => !seat(it, new Set()));
}

function isAbout({ action, about, who, address, at, until }: Logged, it: unknown): boolean {
  const of = (name: string) => textOf(it, name) ?? '';
  const time = Date.parse(of('at'));
  // clocks of nodes may differ from one another (postgresql.md, Clocks)
  const isThen = time >= at - MINUTE && time <= until + MINUTE;
  // a key is named with its prefix, which the world does not know
  const isNamed = who?.endsWith(' (') === true ? of('who').startsWith(who) : of('who') === who;
  const isBy = who === undefined || (isNamed && fieldOf(it, 'address') === address);
  const text = `${of('subject')} ${of('detail')}`;
  const isIts = of('action').startsWith(action) && [about].flat().every((one) => text.includes(one));
  return isIts && isBy && (isThen || at === Number.NEGATIVE_INFINITY);
}
