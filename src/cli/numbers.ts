/** Answers a person who asks what is held about their number, or wants it erased. Works while the service runs. */
import { type Account, findAccountId, listAccounts } from '../accounts/accounts.ts';
import {
  allParts,
  type ExportedListing,
  type ExportedVerification,
  findNumber,
  type HeldNumber,
} from '../accounts/numbers.ts';
import { COMMAND_LINE } from '../core/accounts/actor.ts';
import { parsePastDestination } from '../core/destination/destination.ts';
import { maskDestination } from '../core/destination/destination-mask.ts';
import { SYSTEM_CLOCK, sleep } from '../core/seams/clock.ts';
import type { Store } from '../store/port.ts';
import { readConfiguration } from './configuration.ts';
import { CommandFailure } from './failure.ts';
import { openKeyring } from './store/command-keyring.ts';
import { withStore } from './store/command-store.ts';

export interface NumberOptions {
  readonly destination: string;
  /** The name of one account; without it, all accounts. */
  readonly account?: string;
}

/** Between two batches, so that they take turns with requests. */
const PAUSE_MS = 50;

/** Prints JSON, which is what a person has a right to get: structured, common, and readable by machines. */
export async function exportNumber(options: NumberOptions): Promise<void> {
  await withNumber(options, async (number, destination) => {
    const verifications: ExportedVerification[] = [];
    const do_not_send: ExportedListing[] = [];
    for await (const part of allParts(number.exportPart)) {
      verifications.push(...part.verifications);
      do_not_send.push(...part.listings);
    }
    const exported_at = new Date(SYSTEM_CLOCK.wall()).toISOString();
    console.log(JSON.stringify({ destination, exported_at, do_not_send, verifications }, null, 2));
  });
}

export interface EraseOptions extends NumberOptions {
  /** Whether the number leaves the do-not-send lists, too. */
  readonly alsoDoNotSend?: boolean;
}

export async function eraseNumber({ alsoDoNotSend = false, ...options }: EraseOptions): Promise<void> {
  await withNumber(options, async (number, destination) => {
    let erased = 0;
    const listedBy: string[] = [];
    for await (const part of allParts((before) => number.erasePart(before, alsoDoNotSend))) {
      erased += part.erased;
      listedBy.push(...part.listedBy);
      if (part.erased > 0) await sleep(SYSTEM_CLOCK, PAUSE_MS);
    }
    if (options.account === undefined) await number.eraseEarlyReceipts();
    const masked = maskDestination(destination);
    if (erased === 0) console.log(`found no verification of ${masked}`);
    else console.log(`erased ${erased} ${erased === 1 ? 'verification' : 'verifications'} of ${masked}`);
    for (const account of listedBy) {
      if (alsoDoNotSend) console.log(`took it off the do-not-send list of ${account}`);
      else
        console.log(
          `it stays on the do-not-send list of ${account}, so that it gets no messages; --also-do-not-send takes it off`,
        );
    }
  });
}

async function withNumber(
  { destination: input, account }: NumberOptions,
  use: (number: HeldNumber, destination: string) => Promise<void>,
): Promise<void> {
  const parsed = parsePastDestination(input);
  if (!parsed.ok)
    throw new CommandFailure(`--destination is not a number that codes are sent to. ${parsed.detail}`);
  const { address } = parsed.destination;
  const config = await readConfiguration();
  await withStore(config, async (store) => {
    const keyring = await openKeyring(config, store);
    const accounts = await choose(store, account);
    const deps = { archive: store, keyring, records: store, by: COMMAND_LINE, clock: store.clock };
    await use(findNumber(deps, address, accounts), address);
  });
}

async function choose(store: Store, name: string | undefined): Promise<readonly Account[]> {
  if (name === undefined) return await listAccounts(store);
  const id = await findAccountId(store, name);
  if (id === undefined)
    throw new CommandFailure('--account must be the name of an account; `keys list` shows them');
  return [{ id, name }];
}
