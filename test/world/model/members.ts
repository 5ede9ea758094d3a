/** Who may do what in the portal (portal.md, Accounts and roles). What it then does is as if the operator did it. */
import type { Command as Request, Role } from '../command.ts';
import { byMachines, must, over, textOf } from './common.ts';
import { changes } from './operator.ts';
import type { Command, Judged, Key, Person, Span, State } from './state.ts';
import { DAY, HOUR, MINUTE } from './table.ts';

const PAGE = 'portal.md, Accounts and roles';
const ROLES: readonly Role[] = ['none', 'viewer', 'developer', 'owner'];
const isAtLeast = (role: Role, least: Role) => ROLES.indexOf(role) >= ROLES.indexOf(least);
type ByMember = Extract<Request, { readonly by?: string }>;

/** What a request needs: a role, surely from `sure` on; and whether a proof of the last ten minutes. */
interface Needs {
  readonly account: string;
  readonly least: Role;
  readonly sure: Role;
  readonly proof: boolean;
}
const needs = (account: string, least: Role, proof = false, sure = least): Needs => ({
  account,
  least,
  sure,
  proof,
});

function needsOf(s: State, ask: ByMember): Needs {
  switch (ask.do) {
    case 'block':
    case 'unblock': // do-not-send.md, Changing it
      return needs(ask.at ?? ask.account, 'developer', ask.do === 'unblock');
    case 'make-key':
      return needs(ask.account, ...ofKey(ask));
    case 'rotate-key':
    case 'bound-key': {
      const key = s.keys.get(ask.key)?.at(-1)?.value;
      const [least, proof, sure] = ofKey(key);
      // who says again what is so already changes nothing
      const isSame = ask.do === 'bound-key' && isSameAs(key, ask);
      return needs(ask.at ?? key?.account ?? 'a', isSame ? 'developer' : least, proof, sure);
    }
    case 'change-key': {
      const key = s.keys.get(ask.key)?.at(-1)?.value;
      const [least, sure] = isWidened(key, ask, s.now);
      return needs(ask.at ?? key?.account ?? 'a', least, key?.test === false, sure);
    }
    case 'revoke-key': // ending something needs no proof (portal.md, Fresh proof)
      return needs(ask.at ?? s.keys.get(ask.key)?.at(-1)?.value?.account ?? 'a', 'developer');
    case 'change-webhook':
    case 'enable-webhook':
    case 'disable-webhook':
    case 'rotate-webhook':
    case 'test-webhook':
    case 'replay-webhook': {
      // full numbers are for owners, and need a fresh proof (webhooks.md, Who may do what)
      const full = s.endpoints.get(ask.account)?.at(-1)?.value.full === true;
      const isFor = ask.do === 'change-webhook' ? ask.full === true && !full : full;
      const isFree = ['disable-webhook', 'test-webhook', 'replay-webhook'].includes(ask.do);
      if (isFree) return needs(ask.account, 'developer');
      return needs(ask.account, isFor ? 'owner' : 'developer', isFor || ask.do === 'rotate-webhook');
    }
    case 'copy':
    case 'erase': // personal-data.md, Answering a request
      return needs(ask.account ?? '', 'owner', true);
    case 'guard-rule':
    case 'lift-rule':
      return needs(ask.account ?? '', 'owner', true);
    case 'settings':
    case 'member':
    case 'test-carrier':
    case 'reveal':
      return needs(ask.account, 'owner', true);
    case 'judge': // guard.md, What you say of a code
      return needs(ask.account, 'developer');
    case 'open':
      return needs(ask.account, 'viewer');
    case 'list':
      return needs(ask.account, ask.what === 'audit' ? 'developer' : 'viewer');
    default:
      return needs('', 'none');
  }
}
type Bounds = Pick<Key, 'channels' | 'countries'>;
const isSameAs = (key: Bounds | undefined, { channels, countries }: Bounds) =>
  key?.channels.join() === channels.join() && key.countries.join() === countries.join();
/** A key that may bring codes is an owner's (keys.md); whether a test key that was made so is, too, is open. */
function ofKey(key?: Pick<Key, 'test' | 'customCodes'>): [least: Role, proof: boolean, sure: Role] {
  const sure = key?.customCodes === true ? 'owner' : 'developer';
  return [key?.test === true ? 'developer' : sure, key?.test === false, sure];
}

/** To let a key bring codes, and to put off the end of one that may and goes on so, is for owners (keys.md). */
function isWidened(
  key: Key | undefined,
  { lasts, customCodes }: Extract<ByMember, { do: 'change-key' }>,
  now: number,
): [least: Role, sure: Role] {
  const mayBring = customCodes ?? key?.customCodes === true;
  const end = key?.ends;
  const isPutOff = lasts !== undefined && end !== undefined && (lasts === null || now + lasts > end.until);
  const isNew = customCodes === true && key?.customCodes !== true;
  // that test keys may is so already, and saying it is open
  const sure = mayBring && (customCodes === true || lasts !== undefined) ? 'owner' : 'developer';
  return [mayBring && key?.test !== true && (isNew || isPutOff) ? 'owner' : 'developer', sure];
}

/** Twelve hours without use, written once a minute, and seven days at most (portal.md, Signing in). */
function sessionOf({ signedIn, used }: Person, now: Span): 'yes' | 'may' | 'no' {
  if (signedIn === undefined) return 'no';
  const ends = [over(signedIn, 7 * DAY, now), over(used, 12 * HOUR, now)];
  if (ends.includes('yes')) return 'no';
  const near = over({ ...used, at: used.at - MINUTE }, 12 * HOUR, now) !== 'no';
  return near || ends.includes('may') ? 'may' : 'yes';
}

/** Judges who asks, and leaves to `rule` what was asked. */
export function asMember(
  rule: Judged,
  s: State,
  command: Command,
  group: readonly Command[],
): readonly State[] {
  const ask = command.command;
  const person = 'by' in ask && ask.by !== undefined ? s.people.get(ask.by) : undefined;
  if (person === undefined || !('by' in ask) || ask.do === 'sign-in') return rule(s, command, group);
  const { status, body } = command.answer;
  const { at, until } = command;
  const word = textOf(body, 'type')?.replace(/^.*\//, '');
  const session = sessionOf(person, byMachines(s, command));
  if (status === 401) {
    must(session !== 'yes', `${ask.by} was signed in, and refused with 401 (portal.md, Signing in)`);
    person.signedIn = undefined;
    return [s];
  }
  const { account, least, sure, proof } = needsOf(s, ask);
  const role = account === '' ? 'none' : (person.roles[account] ?? 'none');
  const isMember = account === '' || role !== 'none';
  const stale =
    person.signedIn === undefined ? 'yes' : over(person.proven, 10 * MINUTE, byMachines(s, command));
  const may = session !== 'no' && isAtLeast(role, least) && (!proof || stale !== 'yes');
  if (status >= 500) return may ? rule(s, command, group) : [s];
  must(session !== 'no', `${ask.by} was not signed in, and got ${status} (portal.md, Signing in)`);
  person.used = { at, until };
  if (word === 'not-found' && !isMember) return [s];
  // who is a member no longer, or another one, since the request was let in is refused when it is written down
  const isChanged = group.some(
    ({ command: it, n }) => n !== command.n && it.do === 'member' && it.who === ask.by,
  );
  const isRefused = isChanged && word === 'forbidden';
  must(
    isMember || isRefused,
    `${ask.by} is no member of ${account}, and got ${status} ${word} instead of 404 (${PAGE})`,
  );
  if (word === 'forbidden') {
    must(
      isChanged || !isAtLeast(role, sure),
      `${ask.by}, ${role} of ${account}, was forbidden ${ask.do} (${PAGE})`,
    );
    return [s];
  }
  must(isAtLeast(role, least) || status >= 400, `${ask.by}, ${role} of ${account}, did ${ask.do} (${PAGE})`);
  if (word === 'proof-needed') {
    must(proof && stale !== 'no', `${ask.do} by ${ask.by} needed a proof (portal.md, Fresh proof)`);
    return [s];
  }
  must(
    status >= 400 || !proof || stale !== 'yes',
    `${ask.do} by ${ask.by} without a fresh proof (portal.md, Fresh proof)`,
  );
  return rule(s, command, group);
}

export function signing(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'sign-in' && ask.do !== 'prove' && ask.do !== 'sign-out') return [s];
  const { at, until } = command;
  return changes(s, command, 'no', 'portal.md, Signing in', (its, isTold) => {
    const person = its.people.get(ask.by);
    if (person === undefined) return;
    // what was renewed unheard has a cookie that nobody has; what was not goes on
    if (ask.do !== 'prove' || !isTold)
      person.signedIn = ask.do === 'sign-in' && isTold ? { at, until } : undefined;
    person.proven = { at, until };
    person.used = { at, until };
  });
}

/** It takes effect at once, and an account always keeps an owner (portal.md). */
export function member(s: State, command: Command): readonly State[] {
  const ask = command.command;
  if (ask.do !== 'member') return [s];
  const roleOf = (person?: Person): Role => person?.roles[ask.account] ?? 'none';
  const others = [...s.people].filter(([name, it]) => name !== ask.who && roleOf(it) === 'owner');
  const was = roleOf(s.people.get(ask.who));
  const last = was === 'owner' && others.length === 0 && ask.role !== 'owner';
  return changes(s, command, was === 'none' || last ? 'must' : 'no', PAGE, (its) => {
    const person = its.people.get(ask.who);
    if (person !== undefined) person.roles[ask.account] = ask.role;
  });
}
