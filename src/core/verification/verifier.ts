/** The service's two operations, as the HTTP layer sees them. */
import { randomUUIDv7 } from 'node:crypto';
import { codePolicyOf, messagesOf } from '../accounts/account-settings.ts';
import { DO_NOT_SEND } from '../blocking/refusal.ts';
import { type Body, NOTHING_SAID, readBody } from '../body/body.ts';
import { sealDetails } from '../body/details.ts';
import { describeWishes } from '../body/options.ts';
import { lookAtPerson } from '../body/signals.ts';
import { type BudgetWatch, chargeOf, nameBudget } from '../budgets/budget.ts';
import { reserve } from '../budgets/budgets.ts';
import type { FindLack, Funds } from '../budgets/funds.ts';
import type { Clock } from '../clock.ts';
import type { Channel } from '../destination/channel.ts';
import { StoreUnavailable } from '../errors.ts';
import { composeMessage } from '../message/message.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openField, sealField } from '../secrets/sealed-field.ts';
import { type DailyCap, type DailyPlace, untilNextDay } from '../sending/daily-cap.ts';
import type { HandOver } from '../sending/delivery.ts';
import type { Funnel } from '../sending/funnel.ts';
import { countUnits } from '../sending/prices.ts';
import { type CarrierTest, type CarrierTester, routesOver } from './carrier-test.ts';
import { type CodePolicy, drawCode, normalizeCode } from './code.ts';
import { type HashedKey, hashKey, idempotencyOf } from './idempotency.ts';
import { tellJudgement } from './judgement.ts';
import { limitsOf } from './limits.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type {
  Caller,
  ConfirmAnswer,
  LimitReached,
  RequestAnswer,
  VerificationRequest,
  VerifierPort,
} from './request.ts';
import { type Resolved, type ResolverDeps, resolve } from './resolve.ts';
import type { Scope } from './scope.ts';
import { GUARDED_RETRY_MS, type Passed, type Sentry } from './sentry.ts';
import type { Guess, IssueOutcome, NewVerification, Replay, VerificationStore } from './verification.ts';

export interface VerifierDeps extends ResolverDeps {
  /** The channels that may be asked for. */
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly store: VerificationStore;
  readonly keyring: Keyring;
  readonly sentry: Sentry;
  readonly budgetWatch: BudgetWatch;
  readonly handOver: HandOver;
  /** By the same budgets and prices as `findBudgets`. */
  readonly findLack: FindLack;
  /** Whether sends that the version before hashed can still count: without them a request costs less. */
  readonly countsBefore: boolean;
  readonly funnel: Funnel;
  readonly code: CodePolicy;
  /** How long a fresh verification belongs to the node that wrote it, in ms. */
  readonly lease: number;
}

/** An id in order of time. */
export const mintVerificationId = (): string => `ver_${randomUUIDv7().replaceAll('-', '')}`;

export class Verifier implements VerifierPort, CarrierTester {
  readonly #deps: VerifierDeps;
  readonly #repeatable = new OneAtATime();

  constructor(deps: VerifierDeps) {
    this.#deps = deps;
  }

  get channels(): readonly Channel[] {
    return this.#deps.channels;
  }

  request(caller: Caller, request: VerificationRequest): Promise<RequestAnswer> {
    const { idempotencyKey, channel } = request;
    const { channels } = this.#deps;
    if (!channels.includes(channel)) {
      const detail = `must be one of ${channels.join()}`;
      return Promise.resolve({ kind: 'invalid', field: 'channel', code: 'not_allowed_value', detail });
    }
    const body = readBody(
      request,
      caller.test || caller.customCodes === true,
      this.#deps.messages,
      this.#deps.code,
    );
    if ('fault' in body) return Promise.resolve({ kind: 'invalid', ...body.fault });
    const resolved = resolve(this.#deps, caller, request, body.wishes);
    if ('refusal' in resolved) return Promise.resolve(resolved.refusal);
    if (idempotencyKey === undefined) return this.#issue(caller, request, body, resolved, null);
    const keyHash = hashKey(this.#deps.keyring, caller, idempotencyKey);
    return this.#repeatable.run(caller.accountId, keyHash.current, () =>
      this.#issue(caller, request, body, resolved, keyHash),
    );
  }

  async test(
    caller: Caller,
    asked: Pick<VerificationRequest, 'destination' | 'channel'>,
    test: CarrierTest,
  ): Promise<RequestAnswer> {
    const request = { ...asked, idempotencyKey: undefined };
    const findRoute = routesOver(test.carrier, this.#deps.findRoute);
    const resolved = resolve({ ...this.#deps, findRoute }, caller, request, NOTHING_SAID.wishes);
    if ('refusal' in resolved) return resolved.refusal;
    // So that whoever hears of it from a webhook knows what it is.
    const body = { ...NOTHING_SAID, metadata: { carrier_test: test.carrier } };
    return this.#issue(caller, request, body, resolved, null, test);
  }

  confirm(caller: Caller, id: string, code: string, idempotencyKey?: string): Promise<ConfirmAnswer> {
    const { clock, keyring } = this.#deps;
    const { accountId, test, settings } = caller;
    const mac = keyring.codeMac(id, normalizeCode(code, this.#deps.code.alphabet));
    const guess: Guess = {
      id,
      accountId,
      test,
      codeMac: mac.current,
      earlierCodeMacs: mac.earlier,
      now: clock.now(),
      limits: limitsOf(settings?.failedGuessesPerDestination),
      byNumber: settings?.twilio === true ? true : undefined,
    };
    if (idempotencyKey === undefined) return this.#judge(caller, guess);
    // One that it uses for both operations is two.
    const keyHash = hashKey(keyring, caller, `confirm\0${idempotencyKey}`);
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
    { channel }: VerificationRequest,
    { wishes, metadata, signals }: Body,
    { destination, route, cap, applying }: Resolved,
    keyHash: HashedKey | null,
    carrierTest?: CarrierTest,
  ): Promise<RequestAnswer> {
    const { clock, keyring, sentry, handOver, findLack, countsBefore, funnel, budgetWatch, lease } =
      this.#deps;
    const { accountId, keyId, test, settings } = caller;
    const { address, country } = destination;
    const [createdAt, leasedSince] = [clock.now(), clock.steady()];
    const bodyOf = () =>
      keyring.idempotencyHash(`${channel} ${test ? 'test' : 'live'} ${address}${describeWishes(wishes)}`);
    const idempotency = keyHash && idempotencyOf(keyHash, bodyOf());
    const source = carrierTest !== undefined ? 'test' : wishes.customCode !== undefined ? 'brought' : 'drawn';
    // The code of a test is not typed in either.
    const brought = source !== 'drawn';
    const person = lookAtPerson(keyring, accountId, signals, source);
    const { clientNetwork, device, judged } = person;
    const verdict =
      route && sentry.judge({ caller, channel, destination, route, clientNetwork, device, judged });
    if (verdict?.passes === false) {
      const replay = await this.#findReplay({ accountId, test, createdAt, idempotency });
      if (replay !== undefined) return this.#replayed(replay);
      verdict.refused();
      return { kind: 'guarded', retryAfterMs: GUARDED_RETRY_MS };
    }
    const id = carrierTest?.id ?? mintVerificationId();
    const code = wishes.customCode ?? drawCode(codePolicyOf(this.#deps.code, settings), wishes.codeLength);
    const hash = keyring.destinationHash(accountId, test, address, countsBefore);
    const expiresAt = createdAt + this.#deps.code.validFor;
    const facts = { code, country, channel, validForMs: this.#deps.code.validFor, wish: wishes };
    const messages = messagesOf(this.#deps.messages, settings);
    const wording = composeMessage(messages, facts);
    const reservation =
      applying &&
      reserve(applying, countUnits(channel, wording.text), createdAt, (later) =>
        countUnits(later, composeMessage(messages, { ...facts, channel: later }).text),
      );
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
      guesses: carrierTest === undefined ? this.#deps.code.guesses : 0,
      createdAt,
      expiresAt,
      leaseUntil: carrierTest === undefined ? createdAt + lease : null,
      idempotency,
      limits: limitsOf(settings?.sendsPerDestination),
      clientNetwork,
      detailsSealed: sealDetails(keyring, wishes, metadata, id),
      brought,
      signals: person.signals,
      reservation,
      byNumber: settings?.twilio === true && carrierTest === undefined ? true : undefined,
    };
    const outcome = await this.#write(verification, cap, verdict);
    switch (outcome.kind) {
      case 'issued': {
        for (const index of outcome.nearlyUsed ?? NONE) budgetWatch.nearlyUsed(chargeOf(reservation, index));
        if (!brought) funnel.requested(channel, country);
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
        handOver(message, createdAt, leasedSince, { keyId, own, reservation, asOf: findLack });
        return { kind: 'issued', id, destination: address, channel };
      }
      case 'replayed':
        return this.#replayed(outcome);
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

  /** A request that may not be issued any more is still answered if it repeats one that was. */
  async #findReplay({
    accountId,
    test,
    createdAt,
    idempotency,
  }: Pick<NewVerification, keyof Scope | 'createdAt' | 'idempotency'>): Promise<Replay | undefined> {
    if (idempotency === null) return undefined;
    return this.#deps.store.findReplay({ accountId, test, createdAt, idempotency });
  }

  #replayed(first: Replay): RequestAnswer {
    if (first.kind === 'idempotency-mismatch') return first;
    const { id, channel, destinationSealed } = first;
    const destination = openField(this.#deps.keyring, destinationSealed, id, 'destination');
    return { kind: 'issued', id, destination, channel };
  }

  /**
   * Takes a place within the route's cap. It is given back, and the guard is told, when nothing was written: a replay, a refusal.
   * Where that is unknown, it counts as written: a message that was is sent when its lease ends.
   */
  async #write(
    verification: NewVerification,
    cap: DailyCap | undefined,
    verdict: Passed | undefined,
  ): Promise<IssueOutcome | LimitReached> {
    let place: DailyPlace | undefined;
    const undo = () => {
      if (place !== undefined) cap?.giveBack(place);
      verdict?.notWritten();
    };
    try {
      if (cap !== undefined) {
        place = await cap.take();
        if (place === undefined) {
          undo();
          const replay = await this.#findReplay(verification);
          if (replay !== undefined) return replay;
          const retryAfterMs = untilNextDay(verification.createdAt);
          return { kind: 'limited', scope: 'route', limit: cap.limit, retryAfterMs };
        }
      }
      const outcome = await this.#deps.store.issue(verification);
      if (outcome.kind === 'issued') verdict?.written();
      else undo();
      return outcome;
    } catch (error) {
      if (error instanceof StoreUnavailable) undo();
      else verdict?.written();
      throw error;
    }
  }
}

const NO_BUDGETS: Funds['own'] = [];
const NONE: readonly number[] = [];
