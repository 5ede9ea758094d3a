/** The service's two operations, as the HTTP layer sees them. */
import { codePolicyOf, findsByNumber, messagesOf } from '../accounts/account-settings.ts';
import { DO_NOT_SEND } from '../blocking/refusal.ts';
import { type Body, NOTHING_SAID, readBody } from '../body/body.ts';
import { sealDetails } from '../body/details.ts';
import { lookAtPerson } from '../body/signals.ts';
import { type BudgetWatch, chargeOf, nameBudget } from '../budgets/budget.ts';
import type { FindLack, Funds } from '../budgets/funds.ts';
import { type Channel, isMissedCall } from '../destination/channel.ts';
import { composeMessage } from '../message/message.ts';
import { findNamedText, type NamedText } from '../message/named-text.ts';
import { beginLease, type Clock } from '../seams/clock.ts';
import type { Random } from '../seams/random.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openField, sealField } from '../secrets/sealed-field.ts';
import type { HandOver } from '../sending/delivery.ts';
import type { DeliveryMetrics } from '../sending/delivery-metrics.ts';
import type { AccountLimits } from './account-limits.ts';
import { findAsked, type LookupRoom } from './ask-about-number.ts';
import type { FindNumberHashes } from './by-number/number-hashes.ts';
import { type CarrierTest, type CarrierTester, routesOver } from './carrier-test.ts';
import { type CodePolicy, drawCode, normalizeCode } from './code.ts';
import { askingFirst, reserver } from './draft.ts';
import { type Endings, endingFor, findEndingFault, guessesOn } from './endings.ts';
import { GUARDED_RETRY_MS, type GuardPort } from './guard-port.ts';
import { type HashedKey, hashIdempotencyKey, idempotencyOf } from './idempotency.ts';
import { tellJudgement } from './judgement.ts';
import { OneAtATime } from './one-at-a-time.ts';
import {
  answerAsFirst,
  answerRefused,
  findFirst,
  idempotencyOfRequest,
  type RefusedRequest,
} from './repetition.ts';
import type { Caller, ConfirmAnswer, RequestAnswer, VerificationRequest, VerifierPort } from './request.ts';
import { type Resolved, type ResolverDeps, resolve } from './resolve.ts';
import type { Guess, NewVerification, VerificationStore } from './verification.ts';
import { writeWithinCap } from './write-within-cap.ts';

export interface VerifierDeps extends ResolverDeps {
  /** The channels that may be asked for. */
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly random: Random;
  readonly store: VerificationStore;
  readonly findNumberHashes: FindNumberHashes;
  readonly keyring: Keyring;
  readonly guardPort: GuardPort;
  readonly budgetWatch: BudgetWatch;
  readonly handOver: HandOver;
  /** By the same budgets and prices as `findBudgets`. */
  readonly findLack: FindLack;
  readonly deliveryMetrics: DeliveryMetrics;
  readonly accountLimits: Pick<AccountLimits, 'apart'>;
  /** Undefined if none is configured. */
  readonly lookups?: LookupRoom | undefined;
  readonly code: CodePolicy;
  readonly endings: Endings;
  /** How long a fresh verification belongs to the node that wrote it, in ms. */
  readonly lease: number;
}

/** An id in order of time. */
export const mintVerificationId = ({ orderedUuid }: Random): string =>
  `ver_${orderedUuid().replaceAll('-', '')}`;

export class Verifier implements VerifierPort, CarrierTester {
  readonly #deps: VerifierDeps;
  readonly #repeatable = new OneAtATime();

  constructor(deps: VerifierDeps) {
    this.#deps = deps;
  }

  get channels(): readonly Channel[] {
    return this.#deps.channels;
  }

  findNamedText({ settings }: Caller, text: string): NamedText | undefined {
    const { messages, code } = this.#deps;
    return findNamedText(messagesOf(messages, settings), code.validFor, text);
  }

  request(caller: Caller, request: VerificationRequest): Promise<RequestAnswer> {
    const { idempotencyKey } = request;
    const read = this.#read(caller, request);
    if (idempotencyKey === undefined) {
      if ('refusal' in read) return Promise.resolve(read.refusal);
      return this.#issue(caller, request, read.body, read.resolved, null);
    }
    const keyHash = hashIdempotencyKey(this.#deps.keyring, caller, idempotencyKey);
    return this.#repeatable.run(caller.accountId, keyHash.current, () =>
      'refusal' in read
        ? answerRefused(this.#deps, caller, request, read, keyHash, this.#deps.clock.now())
        : this.#issue(caller, request, read.body, read.resolved, keyHash),
    );
  }

  /** What is asked for and where it goes, or why not. */
  #read(
    caller: Caller,
    request: VerificationRequest,
  ): { readonly body: Body; readonly resolved: Resolved } | RefusedRequest {
    const { channels, messages, code } = this.#deps;
    const body = readBody(request, caller.test || caller.customCodes === true, messages, code);
    const { options } = body;
    if (!channels.includes(request.channel)) {
      const detail = `must be one of ${channels.join()}`;
      return { refusal: { kind: 'invalid', field: 'channel', code: 'not_allowed_value', detail }, options };
    }
    // Before what the key may not do: nobody is to allow it in vain.
    const fault = findEndingFault(request.channel, request.options);
    if (fault !== undefined) return { refusal: { kind: 'invalid', ...fault }, options };
    if ('fault' in body) return { refusal: { kind: 'invalid', ...body.fault }, options };
    const resolved = resolve(this.#deps, caller, request, body.options);
    return 'refusal' in resolved ? { ...resolved, options } : { body, resolved };
  }

  async test(
    caller: Caller,
    asked: Pick<VerificationRequest, 'destination' | 'channel'>,
    test: CarrierTest,
  ): Promise<RequestAnswer> {
    const request = { ...asked, idempotencyKey: undefined };
    const findRoute = routesOver(test.carrier, this.#deps.findRoute);
    const resolved = resolve({ ...this.#deps, findRoute }, caller, request, NOTHING_SAID.options);
    if ('refusal' in resolved) return resolved.refusal;
    // So that whoever hears of it from a webhook knows what it is.
    const body = { ...NOTHING_SAID, metadata: { carrier_test: test.carrier } };
    return this.#issue(caller, request, body, resolved, null, test);
  }

  confirm(caller: Caller, id: string, code: string, idempotencyKey?: string): Promise<ConfirmAnswer> {
    const now = this.#deps.clock.now();
    if (!findsByNumber(caller.settings)) return this.#guess(caller, { id, now }, code, idempotencyKey);
    return this.#deps
      .findNumberHashes(caller, id, now)
      .then((numberHashes) =>
        this.#guess(caller, { id, now, byNumber: true, numberHashes }, code, idempotencyKey),
      );
  }

  #guess(
    caller: Caller,
    which: Pick<Guess, 'id' | 'now' | 'byNumber' | 'numberHashes'>,
    code: string,
    idempotencyKey: string | undefined,
  ): Promise<ConfirmAnswer> {
    const { keyring } = this.#deps;
    const { id } = which;
    const { accountId, test, settings } = caller;
    const mac = keyring.codeMac(id, normalizeCode(code, this.#deps.code.alphabet));
    const guess: Guess = {
      ...which,
      accountId,
      test,
      codeMac: mac.current,
      earlierCodeMacs: mac.earlier,
      limits: this.#deps.accountLimits.apart(accountId, 'failedGuessesPerDestination', settings),
    };
    if (idempotencyKey === undefined) return this.#judge(caller, guess);
    // One that it uses for both operations is two.
    const keyHash = hashIdempotencyKey(keyring, caller, `confirm\0${idempotencyKey}`);
    // The MAC binds id and code.
    const idempotency = idempotencyOf(keyHash, mac);
    return this.#repeatable.run(accountId, keyHash.current, () =>
      this.#judge(caller, { ...guess, idempotency }),
    );
  }

  async #judge(caller: Caller, guess: Guess): Promise<ConfirmAnswer> {
    const { store, keyring } = this.#deps;
    const { id } = guess;
    const outcome = await store.confirm(guess);
    switch (outcome.kind) {
      case 'confirmed':
      case 'mismatch':
        return tellJudgement(this.#deps, caller, guess, outcome);
      case 'replayed': {
        const { first } = outcome;
        if (first.kind === 'mismatch') return first;
        const { channel, confirmedAt } = first;
        const destination = openField(keyring, first.destinationSealed, id, 'destination');
        return { kind: 'confirmed', id, destination, channel, confirmedAt };
      }
      default:
        return outcome;
    }
  }

  async #issue(
    caller: Caller,
    request: VerificationRequest,
    { options, metadata, signals }: Body,
    { destination, route, cap, applying }: Resolved,
    keyHash: HashedKey | null,
    carrierTest?: CarrierTest,
  ): Promise<RequestAnswer> {
    const { clock, random, keyring, guardPort, handOver, findLack, deliveryMetrics, budgetWatch, lease } =
      this.#deps;
    const { accountId, keyId, predecessors, test, settings } = caller;
    const { channel } = request;
    const { address, country } = destination;
    const { since: leasedSince, now: createdAt } = beginLease(clock);
    const idempotency =
      keyHash && idempotencyOfRequest(keyring, keyHash, caller, request, destination, options);
    const source =
      carrierTest !== undefined ? 'test' : options.customCode !== undefined ? 'brought' : 'drawn';
    // The code of a test is not typed in either.
    const brought = source !== 'drawn';
    const person = lookAtPerson(keyring, accountId, signals, source);
    const { clientNetwork, device, judged } = person;
    const guarded = route && { caller, channel, destination, route, clientNetwork, device, judged };
    const verdict = guarded && guardPort.judge(guarded);
    if (verdict?.passes === false) {
      const first = await findFirst(this.#deps, { accountId, test, createdAt, idempotency });
      if (first !== undefined) return answerAsFirst(this.#deps, first);
      verdict.refused();
      return { kind: 'guarded', retryAfterMs: GUARDED_RETRY_MS };
    }
    const { validFor } = this.#deps.code;
    const isCall = isMissedCall(channel);
    const ending = isCall
      ? await endingFor(
          this.#deps,
          { accountId, test, createdAt, expiresAt: createdAt + validFor, idempotency },
          verdict,
        )
      : undefined;
    if (ending !== undefined && 'kind' in ending) return ending;
    const id = carrierTest?.id ?? mintVerificationId(random);
    const code =
      ending?.code ??
      options.customCode ??
      drawCode(random, codePolicyOf(this.#deps.code, settings), options.codeLength);
    const hash = keyring.destinationHash(accountId, test, address);
    const facts = { code, country, channel, validForMs: validFor, wish: options };
    const messages = messagesOf(this.#deps.messages, settings);
    const wording = composeMessage(messages, facts);
    const reserveAt = applying && reserver(applying, messages, facts, wording.text);
    const verification: NewVerification = {
      id,
      accountId,
      keyId,
      test,
      channel,
      country,
      destinationHash: hash.current,
      earlierDestinationHashes: hash.earlier,
      destinationSealed: sealField(keyring, address, id, 'destination'),
      codeMac: keyring.newCodeMac(id, code),
      codeSealed: sealField(keyring, code, id, 'code'),
      guesses: carrierTest === undefined ? guessesOn(channel, this.#deps.code) : 0,
      createdAt,
      expiresAt: createdAt + validFor,
      leaseUntil: carrierTest === undefined ? createdAt + lease : null,
      reservation: reserveAt?.(createdAt),
      idempotency,
      limits: this.#deps.accountLimits.apart(accountId, 'sendsPerDestination', settings),
      clientNetwork,
      detailsSealed: sealDetails(keyring, options, metadata, id),
      brought,
      signals: person.signals,
      // Of several short codes a guess at their number would be right too often.
      byNumber:
        findsByNumber(settings) && carrierTest === undefined && !isCall && !request.checkedElsewhere
          ? true
          : undefined,
      endsEarlier: request.endsEarlier,
    };
    const { lookups } = this.#deps;
    const about = lookups && guarded && findAsked(lookups, guarded);
    const draft = { verification, leasedSince };
    const ask =
      lookups && about && askingFirst({ ...this.#deps, ...lookups }, about, verification, reserveAt);
    const { outcome, tried } = await writeWithinCap(this.#deps, draft, cap, verdict, ending, ask);
    const { expiresAt, reservation } = tried.verification;
    switch (outcome.kind) {
      case 'issued': {
        for (const index of outcome.nearlyUsed ?? NONE) budgetWatch.nearlyUsed(chargeOf(reservation, index));
        if (!brought) deliveryMetrics.requested(channel, country);
        const reserved = reservation === undefined ? {} : { reserved: true };
        const only = carrierTest === undefined ? {} : { only: carrierTest.carrier };
        const message = {
          id,
          accountId,
          test,
          channel,
          destination,
          code,
          expiresAt,
          ...reserved,
          ...only,
          ...wording,
        };
        const own = settings?.budgets ?? NO_BUDGETS;
        const funds = { keyId, predecessors, own, reservation, asOf: findLack };
        handOver(message, tried.verification.createdAt, tried.leasedSince, funds);
        return { kind: 'issued', id, destination: address, channel };
      }
      case 'replayed':
        return answerAsFirst(this.#deps, outcome);
      case 'blocked':
        return DO_NOT_SEND;
      case 'exhausted': {
        const charge = chargeOf(reservation, outcome.charge);
        budgetWatch.exhausted(charge);
        const { retryAfterMs } = outcome;
        return { kind: 'exhausted', budget: nameBudget(charge), endsAt: charge.endsAt, retryAfterMs };
      }
      default:
        return outcome;
    }
  }
}

const NO_BUDGETS: Funds['own'] = [];
const NONE: readonly number[] = [];
