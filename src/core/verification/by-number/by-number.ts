/** Codes by their telephone number, for apps that know no id of ours: check, look up, cancel. */
import type { Clock } from '../../clock.ts';
import type { Channel } from '../../destination/channel.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { type CodePolicy, normalizeCode } from '../code.ts';
import { type JudgementDeps, tellJudgement } from '../judgement.ts';
import { limitsOf } from '../limits.ts';
import type { Inquire, Inquired, InquiryAnswer } from '../reading/inquiry.ts';
import type { Caller } from '../request.ts';
import type { NumberOutcome, NumberStore } from './number-store.ts';

type NumberAnswer =
  | { readonly kind: 'confirmed' | 'mismatch'; readonly id: string; readonly channel: Channel }
  | { readonly kind: 'attempts-exhausted' }
  /** The number has no live code. */
  | { readonly kind: 'unknown' };

/** All reject with a StoreFailure. */
export interface NumberVerifierPort {
  /** Holds a code against every live code of a telephone, given by its canonical address. */
  check(caller: Caller, address: string, code: string): Promise<NumberAnswer>;
  /** A live verification; one that is over is unknown. */
  findLive(caller: Caller, id: string): Promise<InquiryAnswer>;
  /** Confirms a live verification whose code the client brought; false if there is none. */
  approve(caller: Caller, id: string): Promise<boolean>;
  /** Ends a live verification; false if there is none. */
  cancel(caller: Caller, id: string): Promise<boolean>;
}

export interface NumberVerifierDeps extends JudgementDeps {
  readonly clock: Clock;
  readonly store: NumberStore;
  readonly keyring: Keyring;
  readonly inquire: Inquire;
  readonly code: Pick<CodePolicy, 'alphabet'>;
}

export function createNumberVerifier(deps: NumberVerifierDeps): NumberVerifierPort {
  const { clock, store, keyring, inquire } = deps;
  const isLive = ({ confirmedAt, expiresAt, guessesLeft }: Inquired) =>
    confirmedAt === null && expiresAt > clock.now() && guessesLeft > 0;

  /** Undefined if nothing was judged. */
  const tell = (caller: Caller, now: number, outcome: NumberOutcome) => {
    if (outcome.kind !== 'confirmed' && outcome.kind !== 'mismatch') return undefined;
    const { id, kind } = outcome;
    tellJudgement(deps, caller, { id, now }, outcome);
    return { id, kind };
  };

  return {
    async check(caller, address, typed) {
      const { accountId, test, settings } = caller;
      const hash = keyring.destinationHash(accountId, test, address);
      const now = clock.now();
      const number = {
        ...{ accountId, test, now },
        ...{ destinationHash: hash.current, earlierDestinationHashes: hash.earlier },
      };
      const live = await store.findLive(number);
      if (live.length === 0) return { kind: 'unknown' };
      const code = normalizeCode(typed, deps.code.alphabet);
      const candidates = live.map(({ id }) => {
        const { current: codeMac, earlier: earlierCodeMacs } = keyring.codeMac(id, code);
        return { id, codeMac, earlierCodeMacs };
      });
      const limits = limitsOf(settings?.failedGuessesPerDestination);
      const outcome = await store.confirmByNumber({ ...number, limits, candidates });
      const judged = tell(caller, now, outcome);
      if (judged === undefined)
        return { kind: outcome.kind === 'unknown' ? 'unknown' : 'attempts-exhausted' };
      return { ...judged, channel: live.find(({ id }) => id === judged.id)?.channel ?? 'sms' };
    },

    async findLive(caller, id) {
      const found = await inquire(caller, id);
      return found.kind === 'found' && !isLive(found) ? { kind: 'unknown' } : found;
    },

    async approve(caller, id) {
      const { accountId, test } = caller;
      const now = clock.now();
      const outcome = await store.approve({ id, accountId, test, now });
      tell(caller, now, outcome);
      return outcome.kind === 'confirmed';
    },

    cancel: ({ accountId, test }, id) => store.cancel({ id, accountId, test, now: clock.now() }),
  };
}
