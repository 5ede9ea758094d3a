/** What members do in the portal, as its pages ask for it. */
import { addMember } from '../../../src/accounts/members.ts';
import { addPerson } from '../../../src/accounts/people.ts';
import { mintId } from '../../../src/accounts/token.ts';
import { readCookie, SESSION_COOKIE } from '../../../src/identity/cookie.ts';
import { beginSession, findSession, renewSession } from '../../../src/identity/sign-in/session.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Command } from '../command.ts';
import type { Answer } from '../happening.ts';
import type { Refuse } from '../lookup.ts';
import { FIRST_MEMBERS, fieldOf, stopsIn } from '../model/table.ts';
import type { LiveOptions } from '../options.ts';
import type { Sending } from './node.ts';
import type { Endpoint, Key } from './operator.ts';

export interface Person {
  readonly id: string;
  /** As a browser sends it. */
  cookie: string;
}

/** The service's ids of what commands name. */
export interface PortalNames {
  readonly people: ReadonlyMap<string, Person>;
  readonly accounts: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, Key>;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Rules of the guard. */
  readonly rules: ReadonlyMap<string, string>;
  idOf(made: number): string;
  readonly now: number;
}

const ADDRESS = '198.51.100.7';
const MINUTE_MS = 60_000;

/** Makes the people of the world. None is signed in. */
export async function makePeople(store: Store, accounts: ReadonlyMap<string, string>, now: number) {
  const people = new Map<string, Person>();
  for (const [name, roles] of FIRST_MEMBERS) {
    const person = { id: mintId('per', store.random), cookie: '' };
    const memberships = Object.entries(roles).flatMap(([account, role]) =>
      role === 'none' ? [] : addMember(accounts.get(account) ?? '', person.id, role, now),
    );
    const email = `${name}@example.com`;
    await store.transact([addPerson({ ...person, name, email, password: null }, now), ...memberships]);
    people.set(name, person);
  }
  return people;
}

/** Past the password, whose hash takes longer than everything else. The session that the browser had ends. */
export async function signIn(store: Store, person: Person, now: number): Promise<void> {
  const request = { headers: { cookie: person.cookie }, clientAddress: ADDRESS };
  const session = beginSession(store, request, person.id, 'password', now);
  await store.transact(session.steps);
  session.hand(browserOf(person));
}

/** Past the password, too. False if they are not signed in. */
export async function prove(store: Store, person: Person, now: number): Promise<boolean> {
  const token = readCookie({ headers: { cookie: person.cookie } }, SESSION_COOKIE) ?? '';
  const session = await findSession(store, token, undefined, now);
  if (session === undefined) return false;
  const renewed = renewSession(store, session.id, now);
  if (!(await store.transact(renewed.steps)).done) return false;
  renewed.hand(browserOf(person));
  return true;
}

/** Keeps the cookie that an answer sets. */
const browserOf = (person: Person) => ({
  header: (_: 'set-cookie', value: string) => {
    [person.cookie = ''] = value.split(';', 1);
  },
});

/** Undefined if the command is none of the portal's. */
export function portalRequest(command: Command, names: PortalNames): Sending | undefined {
  if (!('by' in command) || command.by === undefined) return undefined;
  const person = names.people.get(command.by);
  const asked = asks(command, names);
  if (person === undefined || asked === undefined) return undefined;
  const [method, path, body] = asked;
  return {
    ...{ method, url: `/portal/api/${path}` },
    headers: {
      ...{ cookie: person.cookie, 'sec-fetch-site': 'same-origin' },
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}

function asks(
  command: Command,
  { accounts, keys, endpoints, rules, people, idOf, now }: PortalNames,
): readonly [method: Sending['method'], path: string, body?: object] | undefined {
  const within = (account: string, path: string) => `accounts/${accounts.get(account)}/${path}`;
  const ofKey = (it: { readonly key: string; readonly at?: string }, path = '') => {
    const key = keys.get(it.key);
    return within(it.at ?? key?.account ?? 'a', `keys/${key?.id ?? 'key_of_nobody'}${path}`);
  };
  const ofEndpoint = (account: string, path = '') =>
    within(account, `webhooks/${endpoints.get(account)?.id}${path}`);
  const isRange = (what: string) => what.length <= 10;
  switch (command.do) {
    case 'block': {
      const { account, at = account, what } = command;
      if (isRange(what)) return ['POST', within(at, 'do-not-send/ranges'), { prefix: what }];
      return ['POST', within(at, 'do-not-send/numbers'), { number: what }];
    }
    case 'unblock': {
      const { account, at = account, what } = command;
      if (isRange(what)) return ['DELETE', within(at, `do-not-send/ranges/${what.slice(1)}`)];
      return ['POST', within(at, 'do-not-send/numbers/remove'), { number: what }];
    }
    case 'make-key': {
      const { account, name, test, customCodes, lasts } = command;
      const restrictions = { channels: [], countries: [], sources: [] };
      const expires_at = lasts === undefined ? null : new Date(now + lasts).toISOString();
      const key = { name, test, expires_at, restrictions, custom_codes: customCodes };
      return ['POST', within(account, 'keys'), key];
    }
    case 'rotate-key':
      return ['POST', ofKey(command, '/rotate'), { overlap_minutes: command.overlap / MINUTE_MS }];
    case 'bound-key': {
      const { channels, countries } = command;
      return ['PATCH', ofKey(command), { restrictions: { channels, countries, sources: [] } }];
    }
    case 'change-key': {
      const { lasts, customCodes: custom_codes } = command;
      const expires_at = typeof lasts === 'number' ? new Date(now + lasts).toISOString() : lasts;
      return ['PATCH', ofKey(command), { expires_at, custom_codes }];
    }
    case 'revoke-key':
      return ['POST', ofKey(command, '/revoke')];
    case 'settings': {
      const { account, sends, wrong, length = null, budgets, twilio, camara, countries, refuse } = command;
      const rates = (list?: readonly string[]) => (list?.length ? list : null);
      const limits = { sends_per_destination: rates(sends), failed_guesses_per_destination: rates(wrong) };
      const others = { brand: null, locale: null, guard: null, budgets: budgets?.map(inWords) ?? null };
      const wanted = {
        name: account,
        code_length: length,
        countries,
        twilio,
        camara: camara === true,
        ...(refuse && { refuse: ruleInWords(refuse) }),
        ...limits,
        ...others,
      };
      return ['PUT', within(account, 'settings'), wanted];
    }
    case 'change-webhook': {
      const { account, full, types } = command;
      const change = { ...(full !== undefined && { full_numbers: full }), ...(types && { types }) };
      return ['PATCH', ofEndpoint(account), change];
    }
    case 'enable-webhook':
    case 'disable-webhook':
    case 'rotate-webhook':
    case 'test-webhook':
      return ['POST', ofEndpoint(command.account, `/${command.do.replace('-webhook', '')}`)];
    case 'replay-webhook': {
      const [from, to] = [now - command.ago, now].map((it) => new Date(it).toISOString());
      return ['POST', ofEndpoint(command.account, '/replay'), { from, to, also_taken: command.all }];
    }
    case 'guard-rule': {
      const { account = 'a', action, of: subject, lasts } = command;
      const value = subject === 'key' ? (keys.get(command.value)?.id ?? 'key_of_nobody') : command.value;
      const ends_at = lasts === undefined ? null : new Date(now + lasts).toISOString();
      return [
        'POST',
        within(account, 'guard/rules'),
        { action, subject, value, ends_at, reason: command.name },
      ];
    }
    case 'lift-rule':
      return ['DELETE', within(command.account ?? 'a', `guard/rules/${rules.get(command.name)}`)];
    case 'member': {
      const path = within(command.account, `members/${people.get(command.who)?.id}`);
      return command.role === 'none' ? ['DELETE', path] : ['PATCH', path, { role: command.role }];
    }
    case 'test-carrier': {
      const { account, carrier, to: number, channel } = command;
      return ['POST', within(account, `carriers/${carrier}/test`), { number, channel }];
    }
    case 'list':
      return ['GET', within(command.account, command.what)];
    case 'reveal':
      return ['POST', within(command.account, `verifications/${idOf(command.id)}/reveal`)];
    case 'open':
      return ['GET', within(command.account, `verifications/${idOf(command.id)}`)];
    case 'judge': {
      const path = within(command.account, `verifications/${idOf(command.id)}/feedback`);
      return ['POST', path, { verdict: command.verdict }];
    }
    case 'copy':
    case 'erase': {
      const { account = 'a', number: destination } = command;
      if (command.do === 'copy') return ['POST', within(account, 'numbers/export'), { destination }];
      const also_do_not_send = command.lists === true;
      return ['POST', within(account, 'numbers/erase'), { destination, also_do_not_send }];
    }
    case 'sign-out':
      return ['DELETE', 'session'];
    default:
      return undefined;
  }
}

const ruleInWords = ({ hours, ported, types = [], recycled = false }: Refuse) => ({
  ...{
    swapped_within_hours: hours ?? null,
    ported_within_hours: ported ?? null,
    line_types: types,
    recycled,
  },
});

/** As an account writes a budget of its own (budgets.md). */
export const inWords = ({ of, per, money, messages }: LiveOptions['budgets'][number]): string =>
  `${of} ${money ?? `${messages} messages`} per ${per}`;

/** Asks, and reads on page by page where there is more: all of them as one answer. */
export async function readOn(sending: Sending, ask: (sending: Sending) => Promise<Answer>): Promise<Answer> {
  const answer = await ask(sending);
  const entries = fieldOf(answer.body, 'entries');
  const next = fieldOf(answer.body, 'next');
  if (typeof next !== 'string' || !Array.isArray(entries)) return answer;
  const [path] = sending.url.split('?');
  const rest = await readOn({ ...sending, url: `${path}?before=${next}` }, ask);
  const more = fieldOf(rest.body, 'entries');
  return Array.isArray(more) ? { ...rest, body: { entries: [...entries, ...more] } } : rest;
}

/** The key that was made, which is shown only now. */
export function keyMade(command: Command, { body }: Answer): Key | undefined {
  if (command.do !== 'make-key' && command.do !== 'rotate-key') return undefined;
  if (typeof body !== 'object' || body === null || !('secret' in body) || !('key' in body)) return undefined;
  const { secret, key } = body;
  if (typeof key !== 'object' || key === null || !('id' in key)) return undefined;
  return { id: String(key.id), token: String(secret), account: '' };
}

/** Rules of the guard by their names, which the world gives as their reasons. */
export function rulesShown(command: Command, { body }: Answer): (readonly [name: string, id: string])[] {
  const list = command.do === 'list' ? command.what : undefined;
  const isShown = command.do === 'guard-rule' || list === 'guard/rules';
  const shown = isShown ? body : list === 'countries' ? stopsIn(body) : [];
  if (!Array.isArray(shown)) return [];
  return shown.map((it: unknown) => [String(fieldOf(it, 'reason')), String(fieldOf(it, 'id'))]);
}
