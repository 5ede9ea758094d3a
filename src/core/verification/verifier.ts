/** The service's two operations, as the HTTP layer sees them. */
import { randomUUIDv7 } from 'node:crypto';
import { codePolicyOf, messagesOf } from '../accounts/account-settings.ts';
import { isInRanges } from '../blocking/range.ts';
import { DO_NOT_SEND } from '../blocking/refusal.ts';
import { type Body, readBody } from '../body/body.ts';
import { sealDetails } from '../body/details.ts';
import { describeWishes, type Wishes } from '../body/options.ts';
import { lookAtPerson } from '../body/signals.ts';
import { type AccountBudget, type BudgetWatch, chargeOf, nameBudget } from '../budgets/budget.ts';
import { type Applying, type FindBudgets, reserve } from '../budgets/budgets.ts';
import type { Clock } from '../clock.ts';
import { isSpoken } from '../destination/channel.ts';
import { type Destination, parseDestination } from '../destination/destination.ts';
import type { Screens } from '../destination/never-sent.ts';
import { StoreUnavailable } from '../errors.ts';
import type { FieldErrorCode } from '../field-error.ts';
import { chooseLocale, composeMessage, type MessageOptions } from '../message/message.ts';
import type { KeyedHash, Keyring } from '../secrets/keyring.ts';
import { openField, sealField } from '../secrets/sealed-field.ts';
import { type DailyCap, type DailyPlace, untilNextDay } from '../sending/daily-cap.ts';
import type { HandOver } from '../sending/delivery.ts';
import type { Funnel } from '../sending/funnel.ts';
import { countUnits } from '../sending/prices.ts';
import type { Route, RouteFinder } from '../sending/routing.ts';
import { type CodePolicy, drawCode, normalizeCode } from './code.ts';
import { idempotencyOf } from './idempotency.ts';
import { tellJudgement } from './judgement.ts';
import { type Limit, limitsOf } from './limits.ts';
import { MAGIC_DESTINATIONS } from './magic.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type {
  Caller,
  ConfirmAnswer,
  LimitReached,
  RequestAnswer,
  VerificationRequest,
  VerifierPort,
} from './request.ts';
import { GUARDED_RETRY_MS, type Sentry } from './sentry.ts';
import type {
  Guess,
  Idempotency,
  IssueOutcome,
  NewVerification,
  Replay,
  VerificationStore,
} from './verification.ts';

export interface VerifierDeps {
  readonly clock: Clock;
  readonly store: VerificationStore;
  readonly keyring: Keyring;
  /** What is never sent to. */
  readonly screens: Screens;
  /** The countries that live keys may send to; all if there are none. */
  readonly countries: readonly string[];
  readonly findRoute: RouteFinder;
  /** Whether any carrier of a route of calls would speak the language of a BCP 47 tag, or English instead. */
  readonly canSpeak: (route: Route, locale: string) => boolean;
  readonly capOf: (route: Route) => DailyCap | undefined;
  readonly sentry: Sentry;
  readonly findBudgets: FindBudgets;
  readonly budgetWatch: BudgetWatch;
  readonly handOver: HandOver;
  /** Whether sends that the version before hashed can still count: without them a request costs less. */
  readonly countsBefore: boolean;
  readonly funnel: Funnel;
  readonly code: CodePolicy;
  readonly messages: MessageOptions;
  /** What a magic destination that plays a reached limit is answered with. */
  readonly shownLimit: Limit;
  /** How long a fresh verification belongs to the node that wrote it, in ms. */
  readonly lease: number;
}

/** What is known of a request before anything is written. */
interface Resolved {
  readonly destination: Destination;
  /** Undefined: the message does not leave the machine. */
  readonly route: Route | undefined;
  readonly cap: DailyCap | undefined;
  readonly applying: Applying | undefined;
}

export class Verifier implements VerifierPort {
  readonly #deps: VerifierDeps;
  readonly #repeatable = new OneAtATime();

  constructor(deps: VerifierDeps) {
    this.#deps = deps;
  }

  request(caller: Caller, request: VerificationRequest): Promise<RequestAnswer> {
    const { idempotencyKey } = request;
    const body = readBody(
      request,
      caller.test || caller.customCodes === true,
      this.#deps.messages,
      this.#deps.code,
    );
    if ('fault' in body) return Promise.resolve({ kind: 'invalid', ...body.fault });
    const resolved = this.#resolve(caller, request, body.wishes);
    if ('refusal' in resolved) return Promise.resolve(resolved.refusal);
    if (idempotencyKey === undefined) return this.#issue(caller, request, body, resolved, null);
    const keyHash = this.#deps.keyring.idempotencyHash(idempotencyKey);
    return this.#repeatable.run(caller.accountId, keyHash.current, () =>
      this.#issue(caller, request, body, resolved, keyHash),
    );
  }

  confirm(caller: Caller, id: string, code: string, idempotencyKey?: string): Promise<ConfirmAnswer> {
    const { clock, keyring } = this.#deps;
    const { accountId, settings } = caller;
    const mac = keyring.codeMac(id, normalizeCode(code, this.#deps.code.alphabet));
    const guess: Guess = {
      id,
      accountId,
      codeMac: mac.current,
      earlierCodeMacs: mac.earlier,
      now: clock.now(),
      limits: limitsOf(settings?.failedGuessesPerDestination),
    };
    if (idempotencyKey === undefined) return this.#judge(caller, guess);
    // No key of a client holds a NUL: one that it uses for both operations is two.
    const keyHash = keyring.idempotencyHash(`confirm\0${idempotencyKey}`);
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

  /** The destination, the cap of its route and the budgets, or why no message can go there. */
  #resolve(
    caller: Caller,
    { destination: input, channel }: VerificationRequest,
    wishes: Wishes,
  ): Resolved | { refusal: RequestAnswer } {
    const { test, restrictions, settings, blockedRanges } = caller;
    if (restrictions !== undefined && !allows(restrictions.channels, channel)) {
      const detail = `This API key may not use the channel ${channel}.`;
      return refuse('channel', 'channel_not_allowed', detail);
    }
    const { screens, countries } = this.#deps;
    const parsed = parseDestination(input, channel, test ? screens.test : screens.live);
    if (!parsed.ok) return refuse('destination', parsed.code, parsed.detail);
    const { destination } = parsed;
    if (restrictions !== undefined && !allows(restrictions.countries, destination.country)) {
      const detail = 'This API key may not send to the country of this destination.';
      return refuse('destination', 'country_not_allowed', detail);
    }
    if (test) {
      const magic = MAGIC_DESTINATIONS.get(destination.address);
      if (magic === 'unroutable') {
        return refuse('destination', 'no_route', 'No route serves this destination.');
      }
      if (magic === 'rate-limited') {
        const limit = this.#deps.shownLimit;
        return {
          refusal: { kind: 'limited', scope: 'destination', limit, retryAfterMs: limit.windowMs },
        };
      }
      return { destination, route: undefined, cap: undefined, applying: undefined };
    }
    if (!allows(countries, destination.country)) {
      const detail = 'This service does not send to the country of this destination.';
      return refuse('destination', 'country_not_allowed', detail);
    }
    if (settings !== undefined && !allows(settings.countries, destination.country)) {
      const detail = 'This account does not send to the country of this destination.';
      return refuse('destination', 'country_not_allowed', detail);
    }
    if (blockedRanges !== undefined && isInRanges(blockedRanges, destination.address))
      return { refusal: DO_NOT_SEND };
    const { findRoute, canSpeak, capOf, findBudgets } = this.#deps;
    const found = findRoute(channel, destination);
    if (!found.ok) return refuse(found.field, found.code, found.detail);
    if (isSpoken(channel)) {
      const messages = messagesOf(this.#deps.messages, settings);
      const locale = chooseLocale(messages, destination.country, channel, wishes);
      if (!canSpeak(found.route, locale)) {
        const detail = 'This service has no voice for calls in the language of this destination.';
        return refuse('destination', 'no_voice', detail);
      }
    }
    const own = settings?.budgets ?? NO_BUDGETS;
    const applying = findBudgets({ ...caller, destination, route: found.route, own });
    if (applying === 'no-price') {
      const detail = 'A budget applies, and the price of a message to this destination is not known.';
      return refuse('destination', 'no_price', detail);
    }
    return { destination, route: found.route, cap: capOf(found.route), applying };
  }

  async #issue(
    caller: Caller,
    { channel }: VerificationRequest,
    { wishes, metadata, signals }: Body,
    { destination, route, cap, applying }: Resolved,
    keyHash: KeyedHash | null,
  ): Promise<RequestAnswer> {
    const { clock, keyring, sentry, handOver, countsBefore, funnel, budgetWatch, lease } = this.#deps;
    const { accountId, keyId, test, settings } = caller;
    const { address, country } = destination;
    const [createdAt, leasedSince] = [clock.now(), clock.steady()];
    const bodyOf = () =>
      keyring.idempotencyHash(`${channel} ${test ? 'test' : 'live'} ${address}${describeWishes(wishes)}`);
    const idempotency = keyHash && idempotencyOf(keyHash, bodyOf());
    const brought = wishes.customCode !== undefined;
    const { signals: kept, ...from } = lookAtPerson(keyring, accountId, signals, brought);
    const verdict = route && sentry.judge({ caller, channel, destination, route, ...from });
    if (verdict?.passes === false) {
      const replay = await this.#findReplay({ accountId, createdAt, idempotency });
      if (replay !== undefined) return this.#replayed(replay);
      verdict.refused();
      return { kind: 'guarded', retryAfterMs: GUARDED_RETRY_MS };
    }
    const id = `ver_${randomUUIDv7().replaceAll('-', '')}`;
    const policy = codePolicyOf(this.#deps.code, settings);
    const code = wishes.customCode ?? drawCode({ ...policy, length: wishes.codeLength ?? policy.length });
    const hash = keyring.destinationHash(accountId, test, address, countsBefore);
    const expiresAt = createdAt + this.#deps.code.validFor;
    const facts = { code, country, channel, validForMs: this.#deps.code.validFor, wish: wishes };
    const wording = composeMessage(messagesOf(this.#deps.messages, settings), facts);
    const reservation = applying && reserve(applying, countUnits(channel, wording.text), createdAt);
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
      guesses: this.#deps.code.guesses,
      createdAt,
      expiresAt,
      leaseUntil: createdAt + lease,
      idempotency,
      limits: limitsOf(settings?.sendsPerDestination),
      clientNetwork: from.clientNetwork,
      detailsSealed: sealDetails(keyring, { ...wishes, metadata }, id),
      brought,
      signals: kept,
      reservation,
      byNumber: settings?.twilio === true ? true : undefined,
    };
    const outcome = await this.#write(verification, cap, verdict?.notWritten);
    switch (outcome.kind) {
      case 'issued': {
        for (const index of outcome.nearlyUsed ?? NONE) budgetWatch.nearlyUsed(chargeOf(reservation, index));
        if (!brought) funnel.requested(channel, country);
        const reserved = reservation === undefined ? {} : { reserved: true };
        const message = {
          id,
          accountId,
          test,
          channel,
          destination,
          code,
          expiresAt,
          ...reserved,
          ...wording,
        };
        handOver(message, createdAt, leasedSince);
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
    createdAt,
    idempotency,
  }: {
    readonly accountId: string;
    readonly createdAt: number;
    readonly idempotency: Idempotency | null;
  }): Promise<Replay | undefined> {
    if (idempotency === null) return undefined;
    return this.#deps.store.findReplay({ accountId, createdAt, idempotency });
  }

  #replayed(first: Replay): RequestAnswer {
    if (first.kind === 'idempotency-mismatch') return first;
    const { id, channel, destinationSealed } = first;
    const destination = openField(this.#deps.keyring, destinationSealed, id, 'destination');
    return { kind: 'issued', id, destination, channel };
  }

  /**
   * Takes a place within the route's cap. `giveBack` and the place are for when nothing was written: a replay, a refusal. Where
   * that is unknown, both count as used: a message that was written is sent when its lease ends.
   */
  async #write(
    verification: NewVerification,
    cap: DailyCap | undefined,
    giveBack: (() => void) | undefined,
  ): Promise<IssueOutcome | LimitReached> {
    let place: DailyPlace | undefined;
    const undo = () => {
      if (place !== undefined) cap?.giveBack(place);
      giveBack?.();
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
      if (outcome.kind !== 'issued') undo();
      return outcome;
    } catch (error) {
      if (error instanceof StoreUnavailable) undo();
      throw error;
    }
  }
}

const NONE: readonly number[] = [];
const NO_BUDGETS: readonly AccountBudget[] = [];

function refuse(field: 'destination' | 'channel', code: FieldErrorCode, detail: string) {
  return { refusal: { kind: 'invalid', field, code, detail } } as const;
}

/** An empty list sets no bound. */
function allows<T>(allowed: readonly T[], one: T): boolean {
  return allowed.length === 0 || allowed.includes(one);
}
