/** The do-not-send list of an account. Works while the service runs: numbers count from its next request, ranges within a second. */

import { findAccountId } from '../../accounts/accounts.ts';
import {
  blockNumbers,
  listBlockedNumbers,
  MAX_NUMBERS_AT_ONCE,
  unblockNumber,
} from '../../accounts/blocking/blocked-numbers.ts';
import { blockRange, listBlockedRanges, unblockRange } from '../../accounts/blocking/blocked-ranges.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import { MAX_RANGES, parseRange } from '../../core/blocking/range.ts';
import {
  type ParsedDestination,
  parseAnyDestination,
  parsePastDestination,
} from '../../core/destination/destination.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import type { Records } from '../../core/sql/records.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { openKeyring } from '../store/command-keyring.ts';
import { withStore } from '../store/command-store.ts';
import { formatTable } from '../table.ts';
import { readLines } from './read-lines.ts';

const NO_ENTRIES = 'expected entries as arguments, or on standard input, one on each line';

export interface BlockOptions {
  readonly account: string;
  /** Whether the entries are ranges. */
  readonly range?: boolean;
}

interface List {
  readonly records: Records;
  readonly keyring: Keyring;
  readonly accountId: string;
  /** Unix ms, by the clock of the store. */
  readonly now: number;
}

/** Reads the entries from standard input, one on each line, if none is given. Adds all or, if one is wrong, none. */
export async function addBlocked(given: readonly string[], { account, range }: BlockOptions): Promise<void> {
  const entries = given.length > 0 ? given : await readLines(NO_ENTRIES);
  const added = range
    ? await addRanges(account, entries.map(rangeOf))
    : await addNumbers(
        account,
        entries.map((entry, index) => addressOf(parseAnyDestination(entry), index)),
      );
  const known = entries.length - added;
  console.log(`added ${added}${known > 0 ? `; ${known} already on the list` : ''}`);
}

async function addNumbers(account: string, addresses: readonly string[]): Promise<number> {
  return await withList(account, async ({ accountId, now, ...deps }) => {
    let added = 0;
    for (let first = 0; first < addresses.length; first += MAX_NUMBERS_AT_ONCE) {
      const some = addresses.slice(first, first + MAX_NUMBERS_AT_ONCE);
      added += await blockNumbers(deps, accountId, some, COMMAND_LINE, now);
    }
    return added;
  });
}

async function addRanges(account: string, prefixes: readonly string[]): Promise<number> {
  return await withList(account, async ({ accountId, now, records }) => {
    let added = 0;
    for (const prefix of prefixes) {
      const outcome = await blockRange(records, accountId, prefix, COMMAND_LINE, now);
      if (outcome === 'too-many') {
        throw new CommandFailure(
          `${prefix} was not added: the list has ${MAX_RANGES} ranges, which is the maximum; remove one, or several that a shorter one includes`,
        );
      }
      if (outcome === 'added') added += 1;
    }
    return added;
  });
}

export async function removeBlocked(entry: string, { account, range }: BlockOptions): Promise<void> {
  const removed = await withList(account, ({ accountId, now, ...deps }) =>
    range
      ? unblockRange(deps.records, accountId, rangeOf(entry, 0), COMMAND_LINE, now)
      : unblockNumber(deps, accountId, addressOf(parsePastDestination(entry), 0), COMMAND_LINE, now),
  );
  if (!removed) throw new CommandFailure(`it is not on the list of the account ${account}`);
  console.log('removed');
}

/** Numbers are masked. */
export async function listBlocked({
  account,
  json = false,
}: {
  readonly account: string;
  readonly json?: boolean;
}): Promise<void> {
  const shown = await withList(account, async ({ accountId, ...deps }) => {
    const ranges = await listBlockedRanges(deps.records, accountId);
    const entries = ranges.map(({ prefix, createdAt }) => entryOf('range', prefix, 'person', createdAt));
    for (let before: string | null | undefined; before !== null; ) {
      const page = await listBlockedNumbers(deps, accountId, before);
      entries.push(
        ...page.numbers.map(({ number, source, createdAt }) => entryOf('number', number, source, createdAt)),
      );
      before = page.next;
    }
    return entries;
  });
  if (json) console.log(JSON.stringify(shown, null, 2));
  else if (shown.length > 0) console.log(formatTable(shown));
  else console.error(`the account ${account} sends to every number; \`block add\` puts one on its list`);
}

const entryOf = (kind: 'number' | 'range', entry: string, source: string, at: number) => ({
  kind,
  entry,
  added_by: source,
  added_at: new Date(at).toISOString(),
});

function addressOf(parsed: ParsedDestination, index: number): string {
  if (parsed.ok) return parsed.destination.address;
  throw new CommandFailure(
    `number ${index + 1} is not a full number such as +14155550123; nothing was changed`,
  );
}

function rangeOf(entry: string, index: number): string {
  const parsed = parseRange(entry);
  if (parsed.ok) return parsed.prefix;
  throw new CommandFailure(`range ${index + 1} ${parsed.detail}; nothing was changed`);
}

async function withList<T>(account: string, use: (list: List) => Promise<T>): Promise<T> {
  const config = await readConfiguration();
  return await withStore(config, async (store) => {
    const accountId = await findAccountId(store, account);
    if (accountId === undefined) throw new CommandFailure(`there is no account named ${account}`);
    return await use({
      records: store,
      keyring: await openKeyring(config, store),
      accountId,
      now: store.clock.now(),
    });
  });
}
