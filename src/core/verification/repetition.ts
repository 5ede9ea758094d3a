/** What a request under an Idempotency-Key repeats, and the answer to a repetition: that of the first request, whatever has changed. */
import { describeOptions, type OptionsInOrder } from '../body/options.ts';
import { type Destination, parseDestination } from '../destination/destination.ts';
import { ANY_NUMBER } from '../destination/never-sent.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openField } from '../secrets/sealed-field.ts';
import { type HashedKey, idempotencyOf } from './idempotency.ts';
import type { RequestAnswer, VerificationRequest } from './request.ts';
import type { Scope } from './scope.ts';
import type { Idempotency, IdempotentReplay, NewVerification, VerificationStore } from './verification.ts';

interface Deps {
  readonly store: Pick<VerificationStore, 'findReplay'>;
  readonly keyring: Keyring;
}

/** Why a request is not issued now; `options` if it may have been issued before. */
export interface RefusedRequest {
  readonly refusal: RequestAnswer;
  readonly options: OptionsInOrder | undefined;
}

/** The hashes of the key and of the request. Nothing in them depends on the configuration. */
export function idempotencyOfRequest(
  keyring: Keyring,
  key: HashedKey,
  { test }: Pick<Scope, 'test'>,
  { channel, repetitionMs }: Pick<VerificationRequest, 'channel' | 'repetitionMs'>,
  { address }: Pick<Destination, 'address'>,
  options: OptionsInOrder,
): Idempotency {
  const body = `${channel} ${test ? 'test' : 'live'} ${address}${describeOptions(options)}`;
  const hashes = idempotencyOf(key, keyring.idempotencyHash(body));
  return repetitionMs === undefined ? hashes : { ...hashes, windowMs: repetitionMs };
}

/** A request that may not be issued any more is still answered if it repeats one that was. */
export async function findFirst(
  { store }: Pick<Deps, 'store'>,
  request: Pick<NewVerification, keyof Scope | 'createdAt' | 'idempotency'>,
): Promise<IdempotentReplay | undefined> {
  const { accountId, test, createdAt, idempotency } = request;
  return idempotency === null ? undefined : store.findReplay({ accountId, test, createdAt, idempotency });
}

export function answerAsFirst({ keyring }: Pick<Deps, 'keyring'>, first: IdempotentReplay): RequestAnswer {
  if (first.kind === 'idempotency-mismatch') return first;
  const { id, channel, destinationSealed } = first;
  return {
    kind: 'issued',
    id,
    destination: openField(keyring, destinationSealed, id, 'destination'),
    channel,
  };
}

/**
 * What is refused now may repeat what was issued before a range was blocked, or a country, route, price or text changed: then it
 * hears of that. The number is read without the screens, which may have changed as well.
 */
export async function answerRefused(
  deps: Deps,
  { accountId, test }: Scope,
  request: VerificationRequest,
  { refusal, options }: RefusedRequest,
  key: HashedKey,
  createdAt: number,
): Promise<RequestAnswer> {
  const parsed = parseDestination(request.destination, request.channel, ANY_NUMBER);
  if (options === undefined || !parsed.ok) return refusal;
  const idempotency = idempotencyOfRequest(deps.keyring, key, { test }, request, parsed.destination, options);
  const first = await findFirst(deps, { accountId, test, createdAt, idempotency });
  return first === undefined ? refusal : answerAsFirst(deps, first);
}
