/** Carries the do-not-send lists of all accounts into another store: over a restore, into another installation. */

import { type Account, listAccounts } from '../../accounts/accounts.ts';
import { addNumbers, MAX_NUMBERS_AT_ONCE } from '../../accounts/blocking/blocked-numbers.ts';
import { blockRange, listBlockedRanges } from '../../accounts/blocking/blocked-ranges.ts';
import { noteExport, readNumbers } from '../../accounts/blocking/carry-over.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import type { Records } from '../../core/sql/records.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { openKeyring } from '../store/command-keyring.ts';
import { withStore } from '../store/command-store.ts';
import { formatListLine, type ListLine, parseListLine } from './list-line.ts';
import { readLines } from './read-lines.ts';

interface Deps {
  readonly records: Records;
  readonly keyring: Keyring;
  /** Unix ms, by the clock of the store. */
  readonly now: number;
}

/** Prints a line of JSON for each entry, with numbers in full. */
export async function exportLists(): Promise<void> {
  const lost = await withLists(async (deps, accounts) => {
    let count = 0;
    for (const account of accounts) count += await printList(deps, account);
    return count;
  });
  if (lost > 0) {
    throw new CommandFailure(`${lost} numbers are missing: no secret of this configuration opens them`);
  }
}

/** Answers how many numbers cannot be read. */
async function printList({ records, keyring, now }: Deps, { id, name: account }: Account): Promise<number> {
  for (const { prefix: range } of await listBlockedRanges(records, id)) {
    console.log(formatListLine({ account, range }));
  }
  let [lost, isNoted] = [0, false];
  for await (const page of readNumbers({ records, keyring }, id)) {
    if (page.numbers.length > 0 && !isNoted) await noteExport(records, id, COMMAND_LINE, now);
    isNoted ||= page.numbers.length > 0;
    lost += page.lost;
    for (const number of page.numbers) console.log(formatListLine({ account, number }));
  }
  return lost;
}

/** Adds what `exportLists` printed, from standard input. If a line is wrong, nothing is added. */
export async function importLists(): Promise<void> {
  const given = await readLines('expected on standard input what `block export` printed');
  const lines = given.map(parseListLine);
  const byAccount = Map.groupBy(lines, ({ account }) => account);
  const missing: string[] = [];
  const added = await withLists(async (deps, accounts) => {
    let count = 0;
    for (const [name, entries] of byAccount) {
      const account = accounts.find((each) => each.name === name);
      if (account === undefined) missing.push(`${name} (${entries.length})`);
      else count += await addEntries(deps, account, entries);
    }
    return count;
  });
  console.log(`added ${added} of ${lines.length}`);
  if (missing.length > 0) {
    throw new CommandFailure(`not added, because there is no such account here: ${missing.join(', ')}`);
  }
}

/** Answers how many were not there yet. */
async function addEntries(deps: Deps, { id, name }: Account, entries: readonly ListLine[]): Promise<number> {
  let added = 0;
  for (const entry of entries) {
    if (!('range' in entry)) continue;
    const outcome = await blockRange(deps.records, id, entry.range, COMMAND_LINE, deps.now);
    if (outcome === 'too-many')
      throw new CommandFailure(`${entry.range} of ${name} was not added: its list is full`);
    if (outcome === 'added') added += 1;
  }
  const numbers = entries.flatMap((entry) => ('number' in entry ? [entry.number] : []));
  for (let first = 0; first < numbers.length; first += MAX_NUMBERS_AT_ONCE) {
    const some = numbers.slice(first, first + MAX_NUMBERS_AT_ONCE);
    added += await addNumbers(deps, id, some, COMMAND_LINE, deps.now);
  }
  return added;
}

async function withLists<T>(use: (deps: Deps, accounts: readonly Account[]) => Promise<T>): Promise<T> {
  const config = await readConfiguration();
  return await withStore(config, async (store) => {
    const keyring = await openKeyring(config, store);
    return await use({ records: store, keyring, now: store.clock.now() }, await listAccounts(store));
  });
}
