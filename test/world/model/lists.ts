/** What is shown of an account: all of it, and nothing of another (portal.md, Accounts and roles). */
import { judgeLog } from './audit.ts';
import { held } from './codes.ts';
import { inEffect, isPast, must, textOf } from './common.ts';
import { ceilingOf } from './counting.ts';
import { judgeEndpoints } from './endpoints.ts';
import { judgeRules } from './guard.ts';
import { type Command, liveNow, type State } from './state.ts';
import { fieldOf, isRange, masked, planOf } from './table.ts';
import { saysOf } from './verdicts.ts';

const PAGE = 'portal.md, Accounts and roles';
const COPY = 'personal-data.md, Answering a request';
const namesIn = (body: unknown, list: string, field: string): string[] => {
  const all = list === '' ? body : fieldOf(body, list);
  return Array.isArray(all) ? all.map((it: unknown) => String(fieldOf(it, field))) : [];
};
/** Nothing of another account is ever shown, and nothing of its own left out. */
export function list(s: State, command: Command): readonly State[] {
  const ask = command.command;
  const { status, body } = command.answer;
  if (ask.do !== 'list' || status >= 500) return [s];
  must(status === 200, `a list of ${ask.what} was refused with ${status} (${PAGE})`);
  const same = (shown: readonly string[], own: readonly string[], due: readonly string[]) => {
    const foreign = shown.find((it) => !own.includes(it));
    must(foreign === undefined, `${ask.account} was shown ${foreign} of ${ask.what} (${PAGE})`);
    const missing = due.find((it) => !shown.includes(it));
    must(
      missing === undefined || shown.length >= 50,
      `${missing} is not in the list of ${ask.what} (${PAGE})`,
    );
  };
  if (ask.what === 'guard/rules' || ask.what === 'countries') judgeRules(s, ask.account, command, ask.what);
  if (ask.what === 'countries') judgeCountries(s, body);
  if (ask.what === 'settings') judgeSettings(s, ask.account, command);
  if (ask.what === 'webhooks') judgeEndpoints(s, ask.account, command);
  if (ask.what === 'audit') judgeLog(s, ask.account, body);
  if (ask.what === 'members') {
    const own = [...s.people]
      .filter(([, it]) => (it.roles[ask.account] ?? 'none') !== 'none')
      .map(([name]) => name);
    same(namesIn(body, 'members', 'name'), own, own);
  }
  if (ask.what === 'keys') {
    const own = [...s.keys.values()]
      .flatMap((it) => it.at(-1)?.value ?? [])
      .filter((it) => it.account === ask.account);
    // a successor has the name of the key before (keys.md, Rotation)
    const first = own.filter((it) => it.before.length === 0).map((it) => it.name);
    same(
      namesIn(body, '', 'name'),
      own.map((it) => it.name),
      first,
    );
  }
  if (ask.what === 'verifications') {
    const own = s.verifications.filter(
      (v) => v.account === ask.account && v.erased === undefined && isPast(s, v, command) !== 'yes',
    );
    if (own.some((v) => v.id === undefined)) return [s];
    const sure = own.filter((v) => isPast(s, v, command) === 'no');
    same(
      namesIn(body, 'verifications', 'id'),
      own.map((v) => v.id ?? ''),
      sure.map((v) => v.id ?? ''),
    );
    same(
      namesIn(body, 'verifications', 'destination'),
      own.map((v) => masked(v.to)),
      [],
    );
  }
  return [s];
}

/** Which countries the operator has anything sent to (destinations.md, Countries). */
function judgeCountries(s: State, body: unknown): void {
  const countries = fieldOf(body, 'countries');
  must(Array.isArray(countries) && countries.length > 0, `no countries are listed (${PAGE})`);
  const { countries: sentTo } = liveNow(s);
  for (const it of countries) {
    const country = textOf(it, 'country') ?? '';
    const isAllowed = sentTo.length === 0 || sentTo.includes(country);
    must(fieldOf(it, 'allowed') === isAllowed, `it is shown wrongly whether ${country} is sent to (${PAGE})`);
  }
}

/** The limits that the account set, and the ceiling above them (keys.md, Settings of an account). */
function judgeSettings(s: State, account: string, command: Command): void {
  const { body } = command.answer;
  const live = liveNow(s);
  const page = 'keys.md, Settings of an account';
  for (const [what, field] of [
    ['sends', 'sends_per_destination'],
    ['wrong', 'failed_guesses_per_destination'],
  ] as const) {
    const shown = JSON.stringify(fieldOf(fieldOf(body, 'settings'), field) ?? []);
    const set = inEffect(s.settings.get(account) ?? [], command, 0).map((it) => JSON.stringify(it[what]));
    must(set.includes(shown), `${account} is shown ${shown} as its limits of ${what} (${page})`);
    const limits = ceilingOf(s, live, account, what);
    const of = live.ceilings?.[account]?.[what] === undefined ? 'service' : 'account';
    const ceiling = fieldOf(fieldOf(body, 'defaults'), field);
    const isShown = JSON.stringify(ceiling) === JSON.stringify({ limits, of });
    must(isShown, `${account} is shown ${JSON.stringify(ceiling)} as its ceiling of ${what} (${page})`);
  }
}

/** A number in full, for owners. */
export function reveal(s: State, command: Command): readonly State[] {
  const ask = command.command;
  const { status, body } = command.answer;
  if (ask.do !== 'reveal' || status >= 500) return [s];
  const kinds = [false, true].map((test) => held(s, { account: ask.account, test }, ask.id, command));
  const here = kinds.find((it) => it !== undefined);
  if (status === 404) must(here?.gone !== 'no', `a verification of ${ask.account} was not found (${PAGE})`);
  else
    must(
      status === 200 && textOf(body, 'destination') === here?.v.to,
      `${status} instead of the full number (${PAGE})`,
    );
  return [s];
}

/** The copy of a number has each of its verifications, and each list that has it. */
export function copy(s: State, command: Command): readonly State[] {
  const ask = command.command;
  const { status, body } = command.answer;
  if (ask.do !== 'copy' || status >= 500) return [s];
  const isRefused = status === 400 && planOf(ask.number).type === 'invalid';
  must(status === 200 || isRefused, `a copy was refused with ${status} (${COPY})`);
  if (isRefused) return [s];
  const isMeant = (account: string) => ask.account === undefined || ask.account === account;
  const own = s.verifications.filter(
    (v) => v.to === ask.number && isMeant(v.account) && v.erased === undefined,
  );
  const shown = namesIn(body, 'verifications', 'id');
  const isKnown = own.every((v) => v.id !== undefined);
  const foreign = shown.find((id) => !own.some((v) => v.id === id && isPast(s, v, command) !== 'yes'));
  must(
    !isKnown || foreign === undefined,
    `the copy has ${foreign}, of another number or account, or erased (${COPY})`,
  );
  const missing = own.find(
    (v) => v.id !== undefined && isPast(s, v, command) === 'no' && !shown.includes(v.id),
  );
  must(missing === undefined, `${missing?.id} is not in the copy of its number (${COPY})`);
  const other = namesIn(body, 'verifications', 'destination').find((it) => it !== ask.number);
  must(other === undefined, `the copy of ${ask.number} has ${other} (${COPY})`);
  const all = fieldOf(body, 'verifications');
  for (const it of Array.isArray(all) ? all : []) {
    const v = own.find(({ id }) => id !== undefined && id === textOf(it, 'id'));
    if (v !== undefined) saysOf(s, v, fieldOf(it, 'verdict'), COPY);
  }
  const lists = namesIn(body, 'do_not_send', 'account');
  for (const account of s.settings.keys()) {
    const changes = s.blocked.get(`${account} ${ask.number}`) ?? [{ value: false }];
    const listed = isMeant(account) && !isRange(ask.number) ? changes.at(-1)?.value : false;
    const isRight = listed === undefined || listed === lists.includes(account);
    must(isRight, `it is told wrongly whether the list of ${account} has ${ask.number} (${COPY})`);
  }
  return [s];
}

/** The lists of all accounts have what was put there, and nothing else (do-not-send.md). */
export function exported(s: State, command: Command): readonly State[] {
  const { status, body } = command.answer;
  if (status >= 500) return [s];
  must(status === 200 && Array.isArray(body), `the lists were not exported (do-not-send.md)`);
  const shown = new Set(body.map((it: unknown) => `${textOf(it, 'account')} ${textOf(it, 'what')}`));
  must(shown.size === body.length, 'an entry of a list was exported twice (do-not-send.md)');
  for (const [place, changes] of s.blocked) {
    const { value } = changes.at(-1) ?? {};
    const is = shown.delete(place);
    must(
      value === undefined || value === is,
      `the list that was exported is wrong about ${place} (do-not-send.md)`,
    );
  }
  must(shown.size === 0, `${[...shown][0]} was exported, and nobody listed it (do-not-send.md)`);
  return [s];
}
