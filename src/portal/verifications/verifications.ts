/** What happened to each code: lists, search, one verification with its attempts, and its full number for owners. */
import { auditStep } from '../../accounts/audit.ts';
import { readKeyNames } from '../../accounts/key-names.ts';
import type { Member } from '../../accounts/standing.ts';
import { openMetadata } from '../../core/body/details.ts';
import { readSignals } from '../../core/body/signals.ts';
import { parsePastDestination } from '../../core/destination/destination.ts';
import { maskDestination } from '../../core/destination/destination-mask.ts';
import type { FieldError } from '../../core/errors/field-error.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { openField } from '../../core/secrets/sealed-field.ts';
import type { Records } from '../../core/sql/records.ts';
import { NO_KEY } from '../../core/verification/carrier-test.ts';
import { guessesOn } from '../../core/verification/endings.ts';
import type {
  Archive,
  ArchivedAttempt,
  ArchivedVerification,
  ArchiveFilter,
  ArchivePage,
  CountPart,
} from '../../core/verification/reading/archive.ts';
import { seenByPeople } from '../../core/verification/scope.ts';
import { NO_CURSOR } from '../../operations/conventions.ts';
import { formatInstant, formatOptional, parseSpan } from '../../operations/instant.ts';
import type {
  ExportFilters,
  Filters,
  Verification,
  VerificationCount,
  VerificationDetail,
  VerificationPage,
} from './contract.ts';

export interface VerificationsDeps {
  readonly clock: Clock;
  readonly archive: Archive;
  readonly records: Records;
  readonly keyring: Keyring;
  /** How many guesses a verification starts with, where its channel does not say otherwise. */
  readonly guesses: number;
  /** The configured one, ISO 4217. */
  readonly currency: string;
}

export type Found =
  | { readonly ok: true; readonly page: VerificationPage }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

type Counted =
  | { readonly ok: true; readonly answer: VerificationCount }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const PAGE = 50;
/** In one file. A span of time brings the others. */
export const MOST_EXPORTED = 10_000;
const EXPORTED_AT_ONCE = 200;
/** How many steps of a search one file takes: each looks at some 20,000 rows. */
const MOST_STEPS = 500;
/** How long to search for the rest of a page, and to count, in ms: each step looks at some 20,000 rows. */
const PATIENCE_MS = 500;

/** In place of a number whose secret is gone. */
const UNREADABLE = '•••';

const ID = /^ver_[0-9a-f]{32}$/;
const MILLIONTHS = 1_000_000;

export function createVerifications(deps: VerificationsDeps) {
  const { clock, archive, records, keyring, guesses, currency } = deps;

  /** The part of a page that is found in time. */
  async function collect(
    accountId: string,
    filter: ArchiveFilter,
    from: string | null,
  ): Promise<ArchivePage> {
    const now = clock.wall();
    const deadline = clock.steady() + PATIENCE_MS;
    const verifications: ArchivedVerification[] = [];
    let before = from;
    for (;;) {
      const limit = PAGE - verifications.length;
      const page = await archive.searchArchive({ accountId, filter, before, limit, now });
      verifications.push(...page.verifications);
      const { next, searchedTo } = page;
      if (next === null || verifications.length === PAGE || clock.steady() > deadline) {
        return { verifications, next, searchedTo };
      }
      before = next;
    }
  }

  async function count(accountId: string, filter: ArchiveFilter): Promise<VerificationCount> {
    const now = clock.wall();
    const deadline = clock.steady() + PATIENCE_MS;
    let before: string | null = null;
    for (let counted = 0; ; ) {
      const part: CountPart = await archive.countArchive({ accountId, filter, before, now });
      counted += part.count;
      if (part.next === null || clock.steady() > deadline) {
        return { count: counted, searched_to: formatOptional(part.searchedTo) };
      }
      before = part.next;
    }
  }

  const mask = (id: string, sealed: string) =>
    keyring.canOpen(sealed) ? maskDestination(openField(keyring, sealed, id, 'destination')) : UNREADABLE;

  async function show(accountId: string, verifications: readonly ArchivedVerification[]) {
    const names = await readKeyNames(records, accountId);
    return verifications.map(
      ({ id, keyId, channel, country, test, status, carrier, asked, ...v }): Verification => ({
        id,
        destination: mask(id, v.destinationSealed),
        ...{ channel, country, test, status, carrier },
        carriers_asked: [...asked],
        key: { id: keyId, name: names.get(keyId) ?? keyId },
        requested_at: formatInstant(v.createdAt),
        confirmed_at: formatOptional(v.confirmedAt),
      }),
    );
  }

  async function* walk(accountId: string, filter: ArchiveFilter): AsyncGenerator<readonly Verification[]> {
    const now = clock.wall();
    let before: string | null = null;
    for (let [left, steps] = [MOST_EXPORTED, 0]; left > 0 && steps < MOST_STEPS; steps++) {
      const limit = Math.min(EXPORTED_AT_ONCE, left);
      const page: ArchivePage = await archive.searchArchive({ accountId, filter, before, limit, now });
      left -= page.verifications.length;
      yield await show(accountId, page.verifications);
      if (page.next === null) return;
      before = page.next;
    }
  }

  async function find(accountId: string, filters: Filters, hashes?: readonly string[]): Promise<Found> {
    const span = parseSpan(filters);
    if (!span.ok) return span;
    const { before = null } = filters;
    if (before !== null && !ID.test(before))
      return { ok: false, errors: [{ field: 'before', ...NO_CURSOR }] };
    const filter = filterOf(filters, span, hashes);
    const { verifications, next, searchedTo } = await collect(accountId, filter, before);
    return {
      ok: true,
      page: {
        verifications: await show(accountId, verifications),
        next,
        searched_to: formatInstant(searchedTo ?? span.from ?? 0),
      },
    };
  }

  return {
    list: (accountId: string, filters: Filters) => find(accountId, filters),

    async count(accountId: string, filters: ExportFilters): Promise<Counted> {
      const span = parseSpan(filters);
      if (!span.ok) return span;
      return { ok: true, answer: await count(accountId, filterOf(filters, span, undefined)) };
    },

    /** The newest of those that match, a slice at a time. */
    walk(accountId: string, filters: ExportFilters) {
      const span = parseSpan(filters);
      return span.ok ? { ok: span.ok, slices: walk(accountId, filterOf(filters, span, undefined)) } : span;
    },

    /** By id, or by full number as `/verify` reads it. */
    async search(accountId: string, wanted: string, filters: Filters): Promise<Found> {
      const text = wanted.trim();
      if (ID.test(text)) {
        const found = await archive.findArchived(seenByPeople(accountId), text, clock.wall());
        const verifications = found === undefined ? [] : [found.verification];
        const searched_to = formatInstant(0);
        return {
          ok: true,
          page: { verifications: await show(accountId, verifications), next: null, searched_to },
        };
      }
      // Of any channel, so that every number that `/verify` accepts is found.
      const parsed = parsePastDestination(text);
      if (!parsed.ok) return { ok: false, errors: [{ field: 'query', code: parsed.code, detail: NO_QUERY }] };
      return find(accountId, filters, keyring.destinationHashes(accountId, parsed.destination.address));
    },

    /** Undefined if the account has none with that id. */
    async detail(accountId: string, id: string): Promise<VerificationDetail | undefined> {
      const found = await archive.findArchived(seenByPeople(accountId), id, clock.wall());
      if (found === undefined) return undefined;
      const { channel, guessesLeft, expiresAt, keyId } = found.verification;
      const device = readSignals(found.signals);
      const [verification] = await show(accountId, [found.verification]);
      return (
        verification && {
          verification,
          expires_at: formatInstant(expiresAt),
          guesses_left: guessesLeft,
          // The initial number is not kept: more may be left than a verification gets today.
          guesses_used: keyId === NO_KEY ? 0 : Math.max(0, guessesOn(channel, { guesses }) - guessesLeft),
          verdict: found.verdict && {
            verdict: found.verdict.verdict,
            at: formatInstant(found.verdict.at),
          },
          metadata: { ...openMetadata(keyring, found.detailsSealed, id) },
          device: {
            platform: device.platform ?? null,
            app_version: device.appVersion ?? null,
            network: device.network ?? null,
          },
          attempts: found.attempts.map((attempt) => attemptOf(attempt, currency)),
        }
      );
    },

    /** The full number. The audit entry is written before it is returned. */
    async reveal(by: Member, id: string): Promise<string | undefined> {
      const { accountId, records } = by;
      const at = clock.wall();
      const found = await archive.findArchived(seenByPeople(accountId), id, at);
      const sealed = found?.verification.destinationSealed;
      if (sealed === undefined || !keyring.canOpen(sealed)) return undefined;
      const action = 'verification.revealed' as const;
      const entry = { accountId, by, action, subject: id, detail: '', at };
      await records.transact([auditStep(records, entry)]);
      return openField(keyring, sealed, id, 'destination');
    },
  };
}

export type Verifications = ReturnType<typeof createVerifications>;

const NO_QUERY =
  'must be the id of a verification, or a full number or address such as +14155550123, tel:+14155550123;ext=12 or sip:alice@example.com';

function filterOf(
  { status, channel, country, carrier, attempt, key, counted, test }: ExportFilters,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
  destinationHashes: readonly string[] | undefined,
): ArchiveFilter {
  return {
    ...(status !== undefined && { status }),
    ...(channel !== undefined && { channel }),
    ...(country !== undefined && { country }),
    ...(carrier !== undefined && { carrier }),
    ...(attempt !== undefined && { attempt }),
    ...(key !== undefined && { keyId: key }),
    ...(counted !== undefined && { counted: true }),
    ...(test !== undefined && { test: test === 'true' }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(destinationHashes !== undefined && { destinationHashes }),
  };
}

type ShownAttempt = VerificationDetail['attempts'][number];

function attemptOf(attempt: ArchivedAttempt, configured: string): ShownAttempt {
  const { carrier, channel, choice, startedAt, endedAt, outcome, reason, cost, receipt } = attempt;
  return {
    ...{ carrier, channel, choice, outcome, reason },
    started_at: formatInstant(startedAt),
    ms: Math.max(0, endedAt - startedAt),
    cost: cost / MILLIONTHS,
    receipt: receipt && receiptOf(receipt, configured),
  };
}

function receiptOf(
  { status, reason, at, price, currency, network }: NonNullable<ArchivedAttempt['receipt']>,
  configured: string,
): ShownAttempt['receipt'] {
  return {
    ...{ status, reason, network },
    at: formatInstant(at),
    price: price === null ? null : { amount: price / MILLIONTHS, currency: currency ?? configured },
  };
}
