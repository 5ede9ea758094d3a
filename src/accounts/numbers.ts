/**
 * What is held about one number, read out or erased for the person who asks, with entries in the audit log. It is found by the
 * keyed hash of what rings there, as the limits count it, and so are all extensions of the number.
 */
import type { Actor } from '../core/accounts/actor.ts';
import type { AuditAction } from '../core/accounts/audit-action.ts';
import { maskDestination } from '../core/destination/destination-mask.ts';
import type { GivenVerdict } from '../core/guarding/verdict.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import { openField } from '../core/secrets/sealed-field.ts';
import type { Records, Step } from '../core/sql/records.ts';
import type { Archive, ArchivedAttempt, ArchivedVerification } from '../core/verification/reading/archive.ts';
import { seenByPeople } from '../core/verification/scope.ts';
import type { Account } from './accounts.ts';
import { auditStep } from './audit.ts';
import { auditRemoval, findListings, type Listing, removeNumber } from './blocking/blocked-numbers.ts';

/** The most that is read or erased at once: few enough that requests do not wait. */
const AT_ONCE = 100;

export interface NumberDeps {
  readonly archive: Archive;
  readonly keyring: Keyring;
  readonly records: Records;
  readonly by: Actor;
  readonly clock: Pick<Clock, 'wall'>;
}

/** A part of a search, newest first. */
export interface Part {
  /** Where the next part begins; null at the end. */
  readonly next: string | null;
  /** The search covered all requests back to this time, in Unix ms; null at the end. */
  readonly searchedTo: number | null;
}

export type ExportedVerification = ReturnType<typeof exportOf>;
export type ExportedListing = ReturnType<typeof listingOf>;

interface ExportPart extends Part {
  readonly verifications: ExportedVerification[];
  /** The do-not-send lists that have the number. They come with the first part. */
  readonly listings: ExportedListing[];
}

interface ErasePart extends Part {
  /** How many verifications, with all that belongs to them. */
  readonly erased: number;
  /** The names of the accounts whose do-not-send list has or had the number. They come with the first part. */
  readonly listedBy: string[];
}

export interface HeldNumber {
  exportPart(before: string | null): Promise<ExportPart>;
  /** An entry of a do-not-send list stays unless `alsoListings`: who is forgotten there is sent to again. */
  erasePart(before: string | null, alsoListings: boolean): Promise<ErasePart>;
  /** Erases the receipts that match no message. They belong to no account. */
  eraseEarlyReceipts(): Promise<void>;
}

/** `address` is canonical, as `/verify` reads it; `accounts` are those whose verifications are meant. */
export function findNumber(
  { archive, keyring, records, by, clock }: NumberDeps,
  address: string,
  accounts: readonly Account[],
): HeldNumber {
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const destinationHashes = accounts.flatMap(({ id }) => keyring.destinationHashes(id, address));
  const [first, second] = accounts;
  const accountId = first === undefined || second !== undefined ? null : first.id;

  const search = (before: string | null, now: number, evenPast?: true) => {
    const query = { accountId, filter: { destinationHashes }, before, limit: AT_ONCE, now };
    return archive.searchArchive(evenPast ? { ...query, evenPast } : query);
  };

  const nameOf = (accountId: string): string => names.get(accountId) ?? accountId;

  /** The lists are looked at once, with the first part. */
  const searchLists = (before: string | null): Promise<Listing[]> =>
    before === null ? findListings({ records, keyring }, [...names.keys()], address) : Promise.resolve([]);

  /** Names the number as the portal shows it: masked. */
  const entries = (
    action: AuditAction,
    found: readonly { readonly accountId: string }[],
    at: number,
  ): Step[] =>
    [...new Set(found.map(({ accountId }) => accountId))].map((accountId) =>
      auditStep(records, { accountId, by, action, subject: maskDestination(address), detail: '', at }),
    );

  async function erasePart(before: string | null, alsoListings: boolean): Promise<ErasePart> {
    const now = clock.wall();
    const { verifications: found, ...part } = await search(before, now, true);
    const listings = await searchLists(before);
    const listedBy = listings.map(({ accountId }) => nameOf(accountId));
    const leaving = alsoListings ? listings : [];
    if (found.length === 0 && leaving.length === 0) return { ...part, erased: 0, listedBy };
    const erase = { ids: found.map(({ id }) => id), destinationHashes, receiptIds: [], now };
    const answer = await records.transact([
      ...leaving.map(({ accountId }) => removeNumber(keyring, accountId, address)),
      { erase },
      ...entries('number.erased', found, now),
      ...leaving.map(({ accountId }) => auditRemoval(records, accountId, by, now)),
    ]);
    // Somebody else took it off in the meantime.
    if (!answer.done) return erasePart(before, alsoListings);
    return { ...part, erased: Number(answer.rows[leaving.length]?.[0]?.erased), listedBy };
  }

  return {
    erasePart,

    async exportPart(before) {
      const now = clock.wall();
      const { verifications: found, ...part } = await search(before, now);
      const listings = await searchLists(before);
      const verifications = await Promise.all(
        found.map(async (verification) => {
          const { id, accountId, destinationSealed: sealed } = verification;
          const { attempts = [], verdict = null } =
            (await archive.findArchived(seenByPeople(accountId), id, now)) ?? {};
          const destination = keyring.canOpen(sealed) ? openField(keyring, sealed, id, 'destination') : null;
          return exportOf(verification, {
            account: nameOf(accountId),
            destination,
            attempts,
            verdict,
          });
        }),
      );
      const held = [...found, ...listings];
      if (held.length > 0) await records.transact(entries('number.exported', held, now));
      return {
        ...part,
        verifications,
        listings: listings.map((listing) => listingOf(nameOf(listing.accountId), listing)),
      };
    },

    async eraseEarlyReceipts() {
      const receiptIds = await archive.findEarlyReceipts(keyring.recipientTags(address));
      if (receiptIds.length === 0) return;
      const erase = { ids: [], destinationHashes: [], receiptIds, now: clock.wall() };
      await records.transact([{ erase }]);
    },
  };
}

/** Runs the parts of a search from `before` to its end. Who takes no more of them can go on later. */
export async function* allParts<Each extends Part>(
  ask: (before: string | null) => Promise<Each>,
  before: string | null = null,
): AsyncGenerator<Each> {
  let from = before;
  do {
    const part = await ask(from);
    yield part;
    from = part.next;
  } while (from !== null);
}

/** For people: the account by its name, no code, times in ISO 8601. `destination` is null if its secret is gone. */
function exportOf(
  { id, channel, country, test, status, ...v }: ArchivedVerification,
  {
    account,
    destination,
    attempts,
    verdict,
  }: {
    readonly account: string;
    readonly destination: string | null;
    readonly attempts: readonly ArchivedAttempt[];
    readonly verdict: GivenVerdict | null;
  },
) {
  return {
    ...{ id, account, destination, channel, country, test, status },
    guesses_left: v.guessesLeft,
    requested_at: instant(v.createdAt),
    expires_at: instant(v.expiresAt),
    confirmed_at: v.confirmedAt === null ? null : instant(v.confirmedAt),
    verdict: verdict && { verdict: verdict.verdict, at: instant(verdict.at) },
    attempts: attempts.map(
      ({ carrier, channel: by, reference, startedAt, endedAt, outcome, reason, receipt }) => ({
        ...{ carrier, channel: by, reference, outcome, reason },
        started_at: instant(startedAt),
        ended_at: instant(endedAt),
        receipt: receipt && receiptOf(receipt),
      }),
    ),
  };
}

/** Without the price, which is not about the person. */
const receiptOf = ({ status, reason, at, network }: NonNullable<ArchivedAttempt['receipt']>) => ({
  ...{ status, reason, network },
  at: instant(at),
});

const listingOf = (account: string, { source, createdAt }: Listing) => ({
  account,
  source,
  added_at: instant(createdAt),
});

const instant = (at: number): string => new Date(at).toISOString();
