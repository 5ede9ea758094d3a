/** Codes by their telephone number, for apps that know no id of ours: check, look up, cancel. */

import type { Channel } from '../../destination/channel.ts';
import type { Clock } from '../../seams/clock.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { AccountLimits } from '../account-limits.ts';
import { type CodePolicy, normalizeCode } from '../code.ts';
import { type JudgementDeps, tellJudgement } from '../judgement.ts';
import type { Inquired, InquiryAnswer, LookUp } from '../reading/inquiry.ts';
import type { Caller } from '../request.ts';
import type { FindNumberHashes } from './number-hashes.ts';
import type { ApprovalOutcome, NumberStore } from './number-store.ts';

type NumberAnswer =
  | {
      readonly kind: 'confirmed' | 'mismatch';
      readonly id: string;
      /** In full for who gave it, or the right code; else as the key may see it. */
      readonly destination: string;
      readonly channel: Channel;
    }
  | Extract<InquiryAnswer, { readonly kind: 'limited' }>
  | { readonly kind: 'attempts-exhausted' }
  /** The number has no live code. */
  | { readonly kind: 'unknown' };

type ApprovalAnswer =
  | 'confirmed'
  | 'attempts-exhausted'
  /** It is over, or there never was such a verification. */
  | 'unknown'
  /** Nobody has shown to have the telephone. */
  | 'not-brought';

export type Telephone = { readonly address: string } | { readonly id: string };

/** All reject with a StoreFailure. */
export interface NumberVerifierPort {
  /** Holds a code against every live code of a telephone, given by its canonical address or by the id of a live code. */
  check(caller: Caller, wanted: Telephone, code: string): Promise<NumberAnswer>;
  /** A live verification; one that is over is unknown. */
  findLive(caller: Caller, id: string): Promise<InquiryAnswer>;
  /** Confirms a live verification whose code the client brought. */
  approve(caller: Caller, id: string): Promise<ApprovalAnswer>;
  /** Ends a live verification; false if there is none. */
  cancel(caller: Caller, id: string): Promise<boolean>;
}

export interface NumberVerifierDeps extends JudgementDeps {
  readonly clock: Clock;
  readonly store: NumberStore;
  readonly keyring: Keyring;
  readonly findNumberHashes: FindNumberHashes;
  readonly lookUp: LookUp;
  readonly accountLimits: Pick<AccountLimits, 'apart'>;
  readonly code: Pick<CodePolicy, 'alphabet'>;
}

export function createNumberVerifier(deps: NumberVerifierDeps): NumberVerifierPort {
  const { clock, store, keyring, accountLimits } = deps;
  const isLive = ({ confirmedAt, endedAt, expiresAt, guessesLeft }: Inquired) =>
    confirmedAt === null && endedAt === null && expiresAt > clock.now() && guessesLeft > 0;

  /** Undefined if nothing was judged. */
  const tell = (caller: Caller, now: number, outcome: ApprovalOutcome) => {
    if (outcome.kind !== 'confirmed' && outcome.kind !== 'mismatch') return undefined;
    const { id, kind } = outcome;
    tellJudgement(deps, caller, { id, now }, outcome);
    return { id, kind };
  };

  const lookUpLive: LookUp = async (caller, id) => {
    const found = await deps.lookUp(caller, id);
    return found.kind === 'found' && !isLive(found.shown) ? { kind: 'unknown' } : found;
  };

  /** Where it is, and what the key may see of it as long as its code is not right. */
  const findTelephone = async (caller: Caller, wanted: Telephone) => {
    if ('address' in wanted)
      return { kind: 'found', address: wanted.address, shown: wanted.address } as const;
    const found = await lookUpLive(caller, wanted.id);
    if (found.kind !== 'found') return found;
    const { address, shown } = found;
    if (address === undefined || shown.destination === undefined) return { kind: 'unknown' } as const;
    return { kind: 'found', address, shown: shown.destination } as const;
  };

  return {
    async check(caller, wanted, typed) {
      const telephone = await findTelephone(caller, wanted);
      if (telephone.kind !== 'found') return telephone;
      const { address, shown } = telephone;
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
      const limits = accountLimits.apart(accountId, 'failedGuessesPerDestination', settings);
      const outcome = await store.confirmByNumber({ ...number, limits, candidates });
      const judged = tell(caller, now, outcome);
      if (judged === undefined)
        return { kind: outcome.kind === 'unknown' ? 'unknown' : 'attempts-exhausted' };
      const destination = judged.kind === 'confirmed' ? address : shown;
      return { ...judged, destination, channel: live.find(({ id }) => id === judged.id)?.channel ?? 'sms' };
    },

    async findLive(caller, id) {
      const found = await lookUpLive(caller, id);
      return found.kind === 'found' ? found.shown : found;
    },

    async approve(caller, id) {
      const { accountId, test, settings } = caller;
      const now = clock.now();
      const limits = accountLimits.apart(accountId, 'failedGuessesPerDestination', settings);
      const numberHashes = await deps.findNumberHashes(caller, id, now);
      const outcome = await store.approve({ id, accountId, test, now, limits, numberHashes });
      tell(caller, now, outcome);
      // It is held against itself, so it never mismatches.
      return outcome.kind === 'mismatch' ? 'unknown' : outcome.kind;
    },

    cancel: ({ accountId, test }, id) => store.cancel({ id, accountId, test, now: clock.now() }),
  };
}
