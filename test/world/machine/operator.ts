/** What owners and the operator do, by the same functions that the portal and the command line call. */
import { createAccountKeys } from '../../../src/accounts/account-keys.ts';
import { blockNumbers, unblockNumber } from '../../../src/accounts/blocking/blocked-numbers.ts';
import {
  blockRange,
  listBlockedRanges,
  unblockRange,
} from '../../../src/accounts/blocking/blocked-ranges.ts';
import { noteExport, readNumbers } from '../../../src/accounts/blocking/carry-over.ts';
import {
  type AddedGuardRule,
  addGuardRule,
  liftGuardRule,
  type NewGuardRule,
} from '../../../src/accounts/guarding/guard-rules.ts';
import { createKeys } from '../../../src/accounts/keys.ts';
import { allParts, findNumber } from '../../../src/accounts/numbers.ts';
import { changeSettings } from '../../../src/accounts/settings.ts';
import {
  addWebhook,
  changeWebhook,
  disableWebhook,
  enableWebhook,
} from '../../../src/accounts/webhooks/endpoints.ts';
import { replayMessages, testWebhook } from '../../../src/accounts/webhooks/messages.ts';
import { rotateWebhookSecret } from '../../../src/accounts/webhooks/secrets.ts';
import { NO_SETTINGS } from '../../../src/core/accounts/account-settings.ts';
import { COMMAND_LINE } from '../../../src/core/accounts/actor.ts';
import { UNRESTRICTED } from '../../../src/core/accounts/api-key.ts';
import { isTestKey, mintKey } from '../../../src/core/accounts/api-key-format.ts';
import { parseBudget } from '../../../src/core/budgets/notation.ts';
import { CHANNEL_NAMES } from '../../../src/core/destination/channel.ts';
import { EVENT_TYPES } from '../../../src/core/events/event.ts';
import type { Clock } from '../../../src/core/seams/clock.ts';
import type { Random } from '../../../src/core/seams/random.ts';
import type { Keyring } from '../../../src/core/secrets/keyring.ts';
import { parseLimit } from '../../../src/core/verification/limits.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Command } from '../command.ts';
import type { Answer } from '../happening.ts';
import type { Refuse } from '../lookup.ts';
import { inWords } from './portal.ts';

export interface Key {
  readonly id: string;
  readonly token: string;
  readonly account: string;
}

export interface OperatorDeps {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
  /** By the world's names. */
  readonly keys: Map<string, Key>;
  readonly accounts: Map<string, string>;
  /** Of each account one. */
  readonly endpoints: Map<string, Endpoint>;
  /** Of the guard. */
  readonly rules: Map<string, string>;
}
export interface Endpoint {
  readonly id: string;
  /** The first. */
  readonly secret: string;
}

const DONE = 200;
const REFUSED = 409;
const NOT_THERE = 404;

/** A key of an account, which is made with its first. */
export async function makeFirstKey(
  deps: OperatorDeps,
  name: string,
  account: string,
  test: boolean,
): Promise<void> {
  const { key, ...material } = mintKey(deps.random, test);
  const wanted = {
    ...material,
    name,
    test,
    createdAt: deps.store.clock.now(),
    customCodes: name === 'a-live',
  };
  const made = await createKeys(deps.store).createKey(account, wanted, COMMAND_LINE);
  deps.accounts.set(account, made.accountId);
  deps.keys.set(name, { id: made.id, token: key, account });
}

export async function addEndpoint(deps: OperatorDeps, account: string): Promise<void> {
  const { store, keyring } = deps;
  const wish = { url: `https://hooks.example/${account}`, types: [], fullNumbers: false };
  const by = { accountId: accountOf(deps, account), by: COMMAND_LINE, now: store.clock.now() };
  const added = await addWebhook({ records: store, keyring, privateNetworks: [] }, { ...by, ...wish });
  if (added.kind === 'added') deps.endpoints.set(account, added);
}

/** What no other rule is about passes the guard, which is asked all the same. */
export async function allowAll(deps: OperatorDeps, account: string): Promise<void> {
  const value = accountOf(deps, account);
  await rule(deps, {
    accountId: null,
    action: 'allow',
    subject: 'account',
    value,
    endsAt: null,
    reason: 'all',
  });
}
const rule = (
  { store, keyring }: OperatorDeps,
  wanted: Omit<NewGuardRule, 'by' | 'now'>,
): Promise<AddedGuardRule> =>
  addGuardRule({ records: store, keyring }, { ...wanted, by: COMMAND_LINE, now: store.clock.now() });

/** The status of what came of it, or the answer; undefined if it is no command of theirs. */
export async function operate(deps: OperatorDeps, command: Command): Promise<number | Answer | undefined> {
  const { store, keyring, clock, random } = deps;
  const by = COMMAND_LINE;
  // By the clock of the store, as commands have it.
  const now = store.clock.now();
  const keys = createAccountKeys(store, 'owner');
  const key = 'key' in command ? deps.keys.get(command.key) : undefined;
  switch (command.do) {
    case 'block':
    case 'unblock': {
      const accountId = accountOf(deps, command.account);
      const { what } = command;
      const listing = { records: store, keyring };
      if (what.length <= 10) {
        if (command.do === 'block')
          return (await blockRange(store, accountId, what, by, now)) === 'added' ? DONE : REFUSED;
        return (await unblockRange(store, accountId, what, by, now)) ? DONE : REFUSED;
      }
      if (command.do === 'block')
        return (await blockNumbers(listing, accountId, [what], by, now)) === 1 ? DONE : REFUSED;
      return (await unblockNumber(listing, accountId, what, by, now)) ? DONE : REFUSED;
    }
    case 'make-key': {
      const { account, name, test, customCodes, lasts } = command;
      const { key, ...material } = mintKey(random, test);
      const wanted = {
        ...material,
        name,
        test,
        customCodes,
        createdAt: now,
        expiresAt: lasts === undefined ? null : now + lasts,
        restrictions: UNRESTRICTED,
      };
      const made = await keys.add(accountOf(deps, account), wanted, by);
      if (made.kind !== 'done') return REFUSED;
      deps.keys.set(name, { id: made.key.id, token: key, account });
      return DONE;
    }
    case 'rotate-key': {
      if (key === undefined) return NOT_THERE;
      const { key: token, ...material } = mintKey(random, isTestKey(key.token));
      const made = await keys.rotate(
        accountOf(deps, key.account),
        key.id,
        material,
        command.overlap,
        by,
        now,
      );
      if (made.kind !== 'done') return REFUSED;
      deps.keys.set(command.name, { id: made.key.id, token, account: key.account });
      return DONE;
    }
    case 'bound-key': {
      if (key === undefined) return NOT_THERE;
      const channels = CHANNEL_NAMES.filter((channel) => command.channels.includes(channel));
      const restrictions = { channels, countries: command.countries, sources: [] };
      const done = await keys.change(accountOf(deps, key.account), key.id, { restrictions }, by, now);
      return done.kind === 'done' ? DONE : REFUSED;
    }
    case 'change-key': {
      if (key === undefined) return NOT_THERE;
      const { lasts, customCodes } = command;
      const expiresAt = typeof lasts === 'number' ? now + lasts : lasts;
      const wanted = { expiresAt, customCodes };
      const done = await keys.change(accountOf(deps, key.account), key.id, wanted, by, now);
      return done.kind === 'done' ? DONE : REFUSED;
    }
    case 'revoke-key': {
      if (key === undefined) return NOT_THERE;
      const done = await keys.revoke(accountOf(deps, key.account), key.id, by, now);
      return done.kind === 'done' ? DONE : REFUSED;
    }
    case 'settings': {
      const {
        account,
        sends = [],
        wrong = [],
        length = null,
        budgets = [],
        twilio,
        camara,
        countries,
        refuse,
      } = command;
      const limits = (rates: readonly string[]) => rates.map((rate) => parseLimit(rate) ?? never(rate));
      const settings = {
        ...NO_SETTINGS,
        ...{ codeLength: length, countries },
        ...{ twilio: twilio ? (true as const) : null, camara: camara ? (true as const) : null },
        ...{ sendsPerDestination: limits(sends), failedGuessesPerDestination: limits(wrong) },
        budgets: budgets.map((it) => parseBudget(inWords(it)) ?? never(it.of)),
        ...(refuse && { refuse: ruleOf(refuse) }),
      };
      const done = await changeSettings(
        store,
        accountOf(deps, account),
        { name: account, settings },
        by,
        now,
      );
      return done === 'changed' ? DONE : REFUSED;
    }
    case 'change-webhook': {
      const { full: fullNumbers, types } = command;
      const chosen = types && EVENT_TYPES.filter((type) => types.includes(type));
      const wish = { ...ofEndpoint(deps, command.account), fullNumbers, types: chosen };
      const done = await changeWebhook({ records: store, privateNetworks: [] }, wish);
      return done.kind === 'changed' ? DONE : REFUSED;
    }
    case 'enable-webhook':
      return (await enableWebhook(store, ofEndpoint(deps, command.account))) ? DONE : REFUSED;
    case 'disable-webhook': {
      const isDone = await disableWebhook(store, ofEndpoint(deps, command.account), 'by-hand');
      return isDone ? DONE : REFUSED;
    }
    case 'rotate-webhook': {
      const deed = ofEndpoint(deps, command.account);
      const secret = await rotateWebhookSecret({ records: store, keyring }, deed);
      return secret === undefined ? REFUSED : { status: DONE, body: { secret }, headers: {} };
    }
    case 'test-webhook': {
      const message = await testWebhook(store, ofEndpoint(deps, command.account));
      return message === undefined ? REFUSED : { status: DONE, body: { message }, headers: {} };
    }
    case 'replay-webhook': {
      const span = { since: now - command.ago, until: now, alsoTaken: command.all };
      const count = await replayMessages(store, { ...ofEndpoint(deps, command.account), ...span });
      return count === undefined ? REFUSED : DONE;
    }
    case 'export': {
      const entries: object[] = [];
      for (const [account, id] of deps.accounts) {
        for (const { prefix } of await listBlockedRanges(store, id)) entries.push({ account, what: prefix });
        for await (const { numbers } of readNumbers({ records: store, keyring }, id))
          entries.push(...numbers.map((number) => ({ account, what: number.address })));
        await noteExport(store, id, by, now);
      }
      return { status: DONE, body: entries, headers: {} };
    }
    case 'guard-rule': {
      const { account, action, of: subject, lasts } = command;
      const value = subject === 'key' ? (deps.keys.get(command.value)?.id ?? 'key_of_nobody') : command.value;
      const accountId = account === undefined ? null : accountOf(deps, account);
      const endsAt = lasts === undefined ? null : now + lasts;
      const added = await rule(deps, { accountId, action, subject, value, endsAt, reason: command.name });
      if (added.kind !== 'added') return REFUSED;
      return { status: DONE, body: [{ id: added.id, reason: command.name }], headers: {} };
    }
    case 'lift-rule': {
      const id = deps.rules.get(command.name) ?? 'grl_of_nobody';
      return (await liftGuardRule({ records: store }, { accountId: null, id, by, now })) ? DONE : NOT_THERE;
    }
    case 'copy':
    case 'erase': {
      const all = [...deps.accounts].map(([name, id]) => ({ id, name }));
      const accounts = all.filter(({ name }) => command.account === undefined || command.account === name);
      const number = findNumber(
        { archive: store, keyring, records: store, by, clock },
        command.number,
        accounts,
      );
      if (command.do === 'copy') {
        const parts = await Array.fromAsync(allParts(number.exportPart));
        const body = {
          do_not_send: parts.flatMap((part) => part.listings),
          verifications: parts.flatMap((part) => part.verifications),
        };
        return { status: DONE, body, headers: {} };
      }
      for await (const _ of allParts((before) => number.erasePart(before, command.lists === true)));
      if (command.account === undefined) await number.eraseEarlyReceipts();
      return DONE;
    }
    default:
      return undefined;
  }
}

const ruleOf = ({ hours, ported, types = [], recycled = false }: Refuse) => ({
  ...{ swappedWithinHours: hours ?? null, portedWithinHours: ported ?? null, lineTypes: types, recycled },
});
function ofEndpoint(deps: OperatorDeps, account: string) {
  const { id } = deps.endpoints.get(account) ?? never(account);
  const accountId = accountOf(deps, account);
  return { accountId, id, by: COMMAND_LINE, now: deps.store.clock.now(), mayGiveNumbers: true };
}
const never = (what: string): never => {
  throw new Error(`${what} is none`);
};
const accountOf = ({ accounts }: OperatorDeps, name: string): string => accounts.get(name) ?? never(name);
