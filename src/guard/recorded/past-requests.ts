/** Reads what was sent from the store, as the guard would have been asked about it. */
import { telephoneOf } from '../../core/destination/telephone.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { ifIntact, openField } from '../../core/secrets/sealed-field.ts';
import { guessesOn } from '../../core/verification/endings.ts';
import type { History, HistoryQuery, PastVerification } from '../../core/verification/reading/history.ts';
import type { Ask } from '../ask.ts';

/** A request that was sent, and what became of it. */
export interface PastRequest extends Ask {
  /** Unix ms; null if nobody confirmed it. */
  readonly confirmedAt: number | null;
  readonly wrongGuesses: number;
  /** What it cost, in millionths of the currency. */
  readonly cost: number;
}

export interface Sources {
  readonly history: History;
  readonly keyring: Keyring;
  /** How many wrong codes a verification allows, where its channel does not say otherwise. */
  readonly guesses: number;
}

const ROWS_AT_ONCE = 5_000;

/** `undefined` for each whose destination no secret opens any more. */
export async function* readPastRequests(
  { history, keyring, guesses }: Sources,
  span: Pick<HistoryQuery, 'accountId' | 'from' | 'to' | 'now'>,
  rowsAtOnce = ROWS_AT_ONCE,
): AsyncGenerator<PastRequest | undefined> {
  for (let after: string | null | undefined; after !== null; ) {
    const page = await history.readHistory({ ...span, after: after ?? null, limit: rowsAtOnce });
    for (const row of page.verifications) yield requestOf(row, keyring, guesses);
    after = page.next;
  }
}

function requestOf(row: PastVerification, keyring: Keyring, guesses: number): PastRequest | undefined {
  const { id, channel, confirmedAt, guessesLeft, clientNetwork, cost } = row;
  const address = ifIntact(() => openField(keyring, row.destinationSealed, id, 'destination'));
  if (address === undefined) return undefined;
  // The right code takes a guess, too.
  const wrongGuesses = Math.max(
    0,
    guessesOn(channel, { guesses }) - guessesLeft - (confirmedAt === null ? 0 : 1),
  );
  return {
    at: row.createdAt,
    account: row.accountId,
    key: row.keyId,
    number: keyring.recipientTag(address),
    destination: telephoneOf(address),
    country: row.country,
    network: clientNetwork ?? undefined,
    ...{ confirmedAt, wrongGuesses, cost },
  };
}
