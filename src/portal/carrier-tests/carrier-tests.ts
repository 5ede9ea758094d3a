/** Sends tests of carriers, and says what became of them. */
import {
  type Admitted,
  admitCarrierTest,
  findTestByKey,
  listCarrierTests,
  releaseKey,
} from '../../accounts/carrier-tests.ts';
import type { Member } from '../../accounts/standing.ts';
import { parseDestination } from '../../core/destination/destination.ts';
import { maskDestination } from '../../core/destination/destination-mask.ts';
import { ANY_NUMBER } from '../../core/destination/never-sent.ts';
import type { FieldFault } from '../../core/errors/field-error.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { openField } from '../../core/secrets/sealed-field.ts';
import type { Records } from '../../core/sql/records.ts';
import { NO_KEY } from '../../core/verification/carrier-test.ts';
import type { Archive } from '../../core/verification/reading/archive.ts';
import type { RequestAnswer, VerificationRequest } from '../../core/verification/request.ts';
import { resolve } from '../../core/verification/resolve.ts';
import { mintVerificationId } from '../../core/verification/verifier.ts';
import { findCaller } from '../routing/caller.ts';
import type { ActiveGeneration } from '../routing/in-effect.ts';
import type { CarrierTestRequest, CarrierTestView } from './contract.ts';
import { viewTest } from './view.ts';

export interface CarrierTestsDeps {
  readonly clock: Clock;
  readonly records: Records;
  readonly keyring: Keyring;
  readonly archive: Archive;
  readonly current: ActiveGeneration;
}

export interface CarrierTests {
  /** Sends one message over one carrier, once for each Idempotency-Key. */
  send(
    by: Member,
    carrier: string,
    test: CarrierTestRequest,
    idempotencyKey: string | undefined,
  ): Promise<Sent>;
  /** The latest, newest first, while their messages are kept. */
  list(accountId: string): Promise<CarrierTestView[]>;
}

type Sent =
  | { readonly kind: 'sent'; readonly test: CarrierTestView }
  /** There is no such carrier. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'wrong'; readonly field: 'channel'; readonly fault: FieldFault }
  | { readonly kind: 'refused'; readonly answer: Exclude<RequestAnswer, { kind: 'issued' }> }
  | Extract<Admitted, { kind: 'too-many' }>
  /** Its Idempotency-Key was used before: for something else, or for a test that may not have been sent yet. */
  | { readonly kind: 'mismatch' | 'in-progress' };

const NOT_SERVED: FieldFault = { code: 'no_route', detail: 'must be a channel that this carrier serves' };
/** An answer may wait for a place and then for the carrier, each as long as the carrier's timeout; then it is written. */
const WRITTEN_WITHIN_MS = 10_000;
/** Of a carrier that is no longer configured. */
const LONG_TIMEOUT_MS = 60_000;

export function createCarrierTests(deps: CarrierTestsDeps): CarrierTests {
  const { clock, records, keyring, archive, current } = deps;

  async function list(accountId: string, id?: string): Promise<CarrierTestView[]> {
    const now = clock.now();
    const { carriers } = current.generation.config;
    const asked = await listCarrierTests(records, accountId, id);
    const shown = await Promise.all(
      asked.map(async (each) => {
        const found = await archive.findArchived({ accountId, test: false }, each.id, now);
        const timeout = carriers[each.carrier]?.timeout ?? LONG_TIMEOUT_MS;
        const overdue = now - each.askedAt > 2 * timeout + WRITTEN_WITHIN_MS;
        return found && viewTest(keyring, each, found, overdue);
      }),
    );
    // Those that were refused before they were written are missing, and those that were erased.
    return shown.filter((each) => each !== undefined);
  }

  async function show(accountId: string, id: string): Promise<Sent> {
    const [test] = await list(accountId, id);
    return test === undefined ? { kind: 'in-progress' } : { kind: 'sent', test };
  }

  /** Its sealed number shows whether this is the same request; an erasure removes that number. */
  async function repeat(
    accountId: string,
    id: string,
    carrier: string,
    { channel }: Pick<VerificationRequest, 'channel'>,
    address: string,
  ): Promise<Sent> {
    const [sent, found] = await Promise.all([
      show(accountId, id),
      archive.findArchived({ accountId, test: false }, id, clock.now()),
    ]);
    if (sent.kind !== 'sent' || found === undefined) return { kind: 'in-progress' };
    const { destinationSealed: sealed } = found.verification;
    const isSame =
      sent.test.carrier === carrier &&
      sent.test.channel === channel &&
      keyring.canOpen(sealed) &&
      openField(keyring, sealed, id, 'destination') === address;
    return isSame ? sent : { kind: 'mismatch' };
  }

  function hashesOf(idempotencyKey: string): string[] {
    const { current, earlier } = keyring.idempotencyHash(idempotencyKey);
    return [current, ...earlier];
  }

  return {
    list: (accountId) => list(accountId),

    async send(by, carrier, { number, channel }, idempotencyKey) {
      const { accountId } = by;
      const request = { destination: number, channel };
      const keyHashes = idempotencyKey === undefined ? [] : hashesOf(idempotencyKey);
      // Before any refusal: whatever has changed since, a repetition gets the outcome of the first.
      const parsed = parseDestination(number, channel, ANY_NUMBER);
      if (parsed.ok && keyHashes.length > 0) {
        const first = await findTestByKey(records, accountId, keyHashes);
        if (first !== undefined)
          return repeat(accountId, first, carrier, request, parsed.destination.address);
      }
      const { verifier, testResolver, channelsOf } = current.generation;
      const channels = await channelsOf(carrier);
      if (channels.length === 0) return { kind: 'unknown' };
      if (!channels.includes(channel)) return { kind: 'wrong', field: 'channel', fault: NOT_SERVED };
      const caller = await findCaller(records, accountId, NO_KEY);
      // Checked first, so that a typing error takes none of the few places.
      const resolved = resolve(testResolver(carrier), caller, { ...request, idempotencyKey: undefined }, {});
      if ('refusal' in resolved) return refused(resolved.refusal);
      const { address } = resolved.destination;
      const id = mintVerificationId(by.records.random);
      const admitted = await admitCarrierTest(by.records, {
        ...{ id, accountId, carrier, channel, by },
        number: maskDestination(address),
        keyHashes,
        now: clock.now(),
      });
      if (admitted.kind === 'repeated') return repeat(accountId, admitted.id, carrier, request, address);
      if (admitted.kind !== 'admitted') return admitted;
      const answer = await verifier.test(caller, request, { id, carrier });
      if (answer.kind === 'issued') return show(accountId, id);
      await releaseKey(records, id);
      return refused(answer);
    },
  };
}

/** The check before admission can only refuse. */
function refused(answer: RequestAnswer): Sent {
  if (answer.kind === 'issued') throw new Error('a test was sent before it was admitted');
  return { kind: 'refused', answer };
}
