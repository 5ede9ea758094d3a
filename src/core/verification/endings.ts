/**
 * The ends of the numbers that missed calls come from, which are their codes. Of codes that are open at once, no two are the same: the
 * number that a person sees is that of one call, and of no other.
 */
import type { RequestOptions } from '../body/options.ts';
import { type Channel, isMissedCall } from '../destination/channel.ts';
import type { FieldError } from '../errors/field-error.ts';
import { OutcomeUnknown, StoreUnavailable } from '../errors/store-failure.ts';
import type { Random } from '../seams/random.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { type CodePolicy, drawCode } from './code.ts';
import type { GuardPassed } from './guard-port.ts';
import type { Limit } from './limits.ts';
import { answerAsFirst, findFirst } from './repetition.ts';
import type { LimitReached, RequestAnswer } from './request.ts';
import type { NewVerification, VerificationStore } from './verification.ts';

/** The shortest and the longest ending that can be configured: longer ones take more numbers than anybody has. */
export const ENDING_LENGTHS = [4, 6] as const;

/** None is free while `most` are taken, or `mostOfAccount` for that account. Times are Unix ms. */
interface Taking {
  readonly accountId: string;
  readonly now: number;
  readonly until: number;
  readonly most: number;
  readonly mostOfAccount: number;
}

/** What keeps them. Each call is atomic over all nodes, and rejects with a StoreFailure if nobody can tell. */
export interface EndingStore {
  /** Whether it was free, and is now taken. */
  take(ending: string, taking: Taking): Promise<boolean>;
  /** Frees what was taken until then. */
  giveBack(ending: string, until: number): Promise<void>;
}

export interface Endings {
  /** In digits. */
  readonly length: number;
  readonly store: EndingStore;
  /** Told of each request that was refused because none was free for its account. */
  readonly noneFree: (accountId: string) => void;
}

/** The ending that is one code. */
export interface CallerEnding {
  readonly code: string;
  /** Frees it, because it was not used. Where that cannot be written, it is free once its time is over. */
  giveBack(): void;
}

interface Deps {
  readonly random: Random;
  readonly endings: Endings;
}

/**
 * While half are free, one request in a thousand finds none in so many draws; and whoever has a code of their own for each that is taken
 * still guesses among half of all.
 */
const MOST_DRAWS = 10;
const LARGEST_SHARE = 0.5;
/** No account takes the calls of all others. */
const SHARE_OF_ACCOUNT = 0.2;
const RETRY_MS = 60_000;
/** Whatever more is configured: such codes are short. */
const MOST_GUESSES = 3;

/** The ending for a request, or its answer without one. The guard hears that nothing will be written. */
export async function endingFor(
  deps: Deps & { readonly store: Pick<VerificationStore, 'findReplay'>; readonly keyring: Keyring },
  request: Pick<NewVerification, 'accountId' | 'test' | 'createdAt' | 'expiresAt' | 'idempotency'>,
  verdict: GuardPassed | undefined,
): Promise<CallerEnding | RequestAnswer> {
  // Nobody is called for a test key.
  if (request.test) return { code: draw(deps), giveBack: () => {} };
  let taken: CallerEnding | LimitReached;
  try {
    taken = await takeEnding(deps, request);
  } catch (error) {
    verdict?.notWritten();
    // It may be taken, but no code was issued with it: a client that asks again gets no second one.
    throw error instanceof OutcomeUnknown
      ? new StoreUnavailable('an ending could not be taken', { cause: error })
      : error;
  }
  if ('code' in taken) return taken;
  verdict?.notWritten();
  const first = await findFirst(deps, request);
  return first === undefined ? taken : answerAsFirst(deps, first);
}

async function takeEnding(
  deps: Deps,
  {
    accountId,
    createdAt: now,
    expiresAt: until,
  }: Pick<NewVerification, 'accountId' | 'createdAt' | 'expiresAt'>,
): Promise<CallerEnding | LimitReached> {
  const { length, store, noneFree } = deps.endings;
  const [most, mostOfAccount] = [10 ** length * LARGEST_SHARE, 10 ** length * SHARE_OF_ACCOUNT];
  for (let draws = 0; draws < MOST_DRAWS; draws++) {
    const code = draw(deps);
    if (await store.take(code, { accountId, now, until, most, mostOfAccount })) {
      // It rejects only with a failure of the store.
      return { code, giveBack: () => void store.giveBack(code, until).catch(() => {}) };
    }
  }
  noneFree(accountId);
  // What the account may have: how many the others have is not its business.
  const limit: Limit = { max: mostOfAccount, windowMs: until - now };
  return { kind: 'limited', scope: 'route', limit, retryAfterMs: RETRY_MS };
}

/** As any code is drawn: each ending is as likely. */
const draw = ({ random, endings: { length } }: Deps): string =>
  drawCode(random, { length, alphabet: 'digits' });

/** How many wrong codes a verification allows. */
export const guessesOn = (channel: Channel, { guesses }: Pick<CodePolicy, 'guesses'>): number =>
  isMissedCall(channel) ? Math.min(guesses, MOST_GUESSES) : guesses;

/** What a request may not ask of a code that is the end of a number. */
export function findEndingFault(
  channel: Channel,
  { codeLength, customCode }: RequestOptions = {},
): FieldError<`options/${string}`> | undefined {
  if (!isMissedCall(channel)) return undefined;
  const field =
    codeLength !== undefined
      ? 'options/code_length'
      : customCode !== undefined
        ? 'options/custom_code'
        : undefined;
  const detail = `must be left out for ${channel}, where the code is the end of the number that calls`;
  return field && { field, code: 'not_allowed_value', detail };
}
