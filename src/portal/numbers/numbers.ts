/** What an account holds about one number: read out or erased for owners, as much of it as one request has time for. */
import { allParts, findNumber, type HeldNumber, type Part } from '../../accounts/numbers.ts';
import { findSettings } from '../../accounts/settings.ts';
import type { Member } from '../../accounts/standing.ts';
import { parsePastDestination } from '../../core/destination/destination.ts';
import type { FieldError } from '../../core/errors/field-error.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import type { Archive } from '../../core/verification/reading/archive.ts';
import { A_FULL_NUMBER, NO_CURSOR } from '../../operations/conventions.ts';
import { formatInstant } from '../../operations/instant.ts';
import type { NumberErased, NumberErasure, NumberExport, NumberQuery } from './contract.ts';

export interface NumbersDeps {
  readonly clock: Clock;
  readonly archive: Archive;
  readonly keyring: Keyring;
}

type Found<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** How long one request searches, in ms. */
const PATIENCE_MS = 500;

const ID = /^ver_[0-9a-f]{32}$/;

export function createNumbers(deps: NumbersDeps) {
  async function ask<Answer>(
    by: Member,
    { destination, before }: NumberQuery,
    answerOf: (number: HeldNumber, address: string, before: string | null) => Promise<Answer>,
  ): Promise<Found<Answer>> {
    if (before !== undefined && !ID.test(before))
      return { ok: false, errors: [{ field: 'before', ...NO_CURSOR }] };
    const parsed = parsePastDestination(destination.trim());
    if (!parsed.ok)
      return { ok: false, errors: [{ field: 'destination', code: parsed.code, detail: A_FULL_NUMBER }] };
    const { address } = parsed.destination;
    const { accountId: id, records } = by;
    const account = { id, name: (await findSettings(records, id))?.name ?? id };
    const number = findNumber({ ...deps, records, by }, address, [account]);
    return { ok: true, answer: await answerOf(number, address, before ?? null) };
  }

  return {
    export: (by: Member, query: NumberQuery): Promise<Found<NumberExport>> =>
      ask(by, query, async (number, destination, before) => {
        const parts = await someParts(deps.clock, number.exportPart, before);
        return {
          destination,
          do_not_send: parts.flatMap((part) => part.listings),
          verifications: parts.flatMap((part) => part.verifications),
          ...endOf(parts),
        };
      }),

    erase: (
      by: Member,
      { also_do_not_send: also = false, ...query }: NumberErasure,
    ): Promise<Found<NumberErased>> =>
      ask(by, query, async (number, _, first) => {
        const parts = await someParts(deps.clock, (before) => number.erasePart(before, also), first);
        const isListed = parts.some(({ listedBy }) => listedBy.length > 0);
        return {
          erased: parts.reduce((sum, { erased }) => sum + erased, 0),
          do_not_send: isListed ? (also ? 'removed' : 'kept') : null,
          ...endOf(parts),
        };
      }),
  };
}

export type Numbers = ReturnType<typeof createNumbers>;

async function someParts<Each extends Part>(
  { steady }: Clock,
  ask: (before: string | null) => Promise<Each>,
  before: string | null,
): Promise<Each[]> {
  const deadline = steady() + PATIENCE_MS;
  const parts: Each[] = [];
  for await (const part of allParts(ask, before)) {
    parts.push(part);
    if (steady() > deadline) break;
  }
  return parts;
}

function endOf(parts: readonly Part[]) {
  const { next = null, searchedTo = null } = parts.at(-1) ?? {};
  return { next, searched_to: formatInstant(searchedTo ?? 0) };
}
