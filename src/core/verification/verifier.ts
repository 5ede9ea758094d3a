/** The service's two operations, as the HTTP layer sees them. */
import { randomUUIDv7 } from 'node:crypto';
import { codePolicyOf, messagesOf } from '../accounts/account-settings.ts';
import { isInRanges } from '../blocking/range.ts';
import { DO_NOT_SEND } from '../blocking/refusal.ts';
import { type AccountBudget, type BudgetWatch, type Charge, nameBudget } from '../budgets/budget.ts';
import { type Applying, type FindBudgets, reserve } from '../budgets/budgets.ts';
import type { Clock } from '../clock.ts';
import { type Channel, isSpoken } from '../destination/channel.ts';
import { type Destination, parseDestination, restoreDestination } from '../destination/destination.ts';
import type { Screens } from '../destination/never-sent.ts';
import { StoreUnavailable } from '../errors.ts';
import type { FieldErrorCode } from '../field-error.ts';
import { chooseLocale, composeMessage, type MessageOptions } from '../message/message.ts';
import type { KeyedHash, Keyring } from '../secrets/keyring.ts';
import { openField, sealField } from '../secrets/sealed-field.ts';
import type { OutgoingMessage } from '../sending/carrier.ts';
import { type DailyCap, untilNextDay } from '../sending/daily-cap.ts';
import type { HandOver, SealedMessage } from '../sending/delivery.ts';
import type { Funnel } from '../sending/funnel.ts';
import { countUnits } from '../sending/prices.ts';
import type { Route, RouteFinder } from '../sending/routing.ts';
import { type CodePolicy, drawCode, normalizeCode } from './code.ts';
import { idempotencyOf } from './idempotency.ts';
import type { Limit } from './limits.ts';
import { MAGIC_DESTINATIONS } from './magic.ts';
import type {
  Caller,
  ConfirmAnswer,
  LimitReached,
  RequestAnswer,
  VerificationRequest,
  VerifierPort,
} from './request.ts';
import type { Guess, IssueOutcome, NewVerification, VerificationStore } from './verification.ts';

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
  readonly cap: DailyCap | undefined;
  readonly applying: Applying | undefined;
}

export class Verifier implements VerifierPort {
  readonly #deps: VerifierDeps;
  /** Idempotency keys of requests under way here; each entry lives as long as its request. */
  readonly #inProgress = new Set<string>();

  constructor(deps: VerifierDeps) {
    this.#deps = deps;
  }

  request(caller: Caller, request: VerificationRequest): Promise<RequestAnswer> {
    const { channel, idempotencyKey } = request;
    const resolved = this.#resolve(caller, request);
    if ('refusal' in resolved) return Promise.resolve(resolved.refusal);
    if (idempotencyKey === undefined) return this.#issue(caller, channel, resolved, null);
    const keyHash = this.#deps.keyring.idempotencyHash(idempotencyKey);
    return this.#once(caller.accountId, keyHash.current, () =>
      this.#issue(caller, channel, resolved, keyHash),
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
    if (idempotencyKey === undefined) return this.#judge(guess);
    // No key of a client holds a NUL: one that it uses for both operations is two.
    const keyHash = keyring.idempotencyHash(`confirm\0${idempotencyKey}`);
    // The MAC binds id and code.
    const idempotency = idempotencyOf(keyHash, mac);
    return this.#once(accountId, keyHash.current, () => this.#judge({ ...guess, idempotency }));
  }

  async #judge(guess: Guess): Promise<ConfirmAnswer> {
    const { store, keyring, funnel } = this.#deps;
    const { id, now } = guess;
    const outcome = await store.confirm(guess);
    switch (outcome.kind) {
      case 'confirmed': {
        const { channel, country, carrier, createdAt, destinationSealed } = outcome;
        funnel.confirmed(channel, country, carrier ?? 'unknown', now - createdAt);
        const destination = openField(keyring, destinationSealed, id, 'destination');
        return { kind: 'confirmed', id, destination, channel, confirmedAt: now };
      }
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

  /** Requests with one Idempotency-Key go one at a time; those that come meanwhile are told so. */
  async #once<Answer>(
    accountId: string,
    keyHash: string,
    ask: () => Promise<Answer>,
  ): Promise<Answer | { readonly kind: 'idempotency-in-progress' }> {
    const place = `${accountId} ${keyHash}`;
    if (this.#inProgress.has(place)) return { kind: 'idempotency-in-progress' };
    this.#inProgress.add(place);
    try {
      return await ask();
    } finally {
      this.#inProgress.delete(place);
    }
  }

  /** The destination, the cap of its route and the budgets, or why no message can go there. */
  #resolve(
    caller: Caller,
    { destination: input, channel }: VerificationRequest,
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
      return { destination, cap: undefined, applying: undefined };
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
      const locale = chooseLocale(messagesOf(this.#deps.messages, settings), destination.country, channel);
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
    return { destination, cap: capOf(found.route), applying };
  }

  async #issue(
    { accountId, keyId, test, settings }: Caller,
    channel: Channel,
    { destination, cap, applying }: Resolved,
    idempotencyHash: KeyedHash | null,
  ): Promise<RequestAnswer> {
    const { clock, store, keyring, handOver, countsBefore, funnel, budgetWatch, lease } = this.#deps;
    const { address, country } = destination;
    const id = `ver_${randomUUIDv7().replaceAll('-', '')}`;
    const code = drawCode(codePolicyOf(this.#deps.code, settings));
    const hash = keyring.destinationHash(accountId, test, address, countsBefore);
    const [createdAt, leasedSince] = [clock.now(), clock.steady()];
    const expiresAt = createdAt + this.#deps.code.validFor;
    const facts = { code, country, channel, validForMs: this.#deps.code.validFor };
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
      idempotency:
        idempotencyHash === null
          ? null
          : idempotencyOf(
              idempotencyHash,
              keyring.idempotencyHash(`${channel} ${test ? 'test' : 'live'} ${address}`),
            ),
      limits: limitsOf(settings?.sendsPerDestination),
      reservation,
    };
    const outcome = await (cap === undefined ? store.issue(verification) : this.#write(verification, cap));
    switch (outcome.kind) {
      case 'issued': {
        for (const index of outcome.nearlyUsed ?? NONE) budgetWatch.nearlyUsed(chargeOf(verification, index));
        funnel.requested(channel, country);
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
      case 'replayed': {
        const first = outcome;
        const sent = openField(keyring, first.destinationSealed, first.id, 'destination');
        return { kind: 'issued', id: first.id, destination: sent, channel: first.channel };
      }
      case 'blocked':
        return DO_NOT_SEND;
      case 'exhausted': {
        const charge = chargeOf(verification, outcome.charge);
        budgetWatch.exhausted(charge);
        const { retryAfterMs } = outcome;
        return { kind: 'exhausted', budget: nameBudget(charge), endsAt: charge.endsAt, retryAfterMs };
      }
      default:
        return outcome;
    }
  }

  /**
   * Takes a place within the route's cap, and gives it back when nothing was written: a replay, a refusal. Where that is
   * unknown, the place counts as used: a message that was written is sent when its lease ends.
   */
  async #write(verification: NewVerification, cap: DailyCap): Promise<IssueOutcome | LimitReached> {
    const { store } = this.#deps;
    const place = await cap.take();
    if (place === undefined) {
      const { accountId, createdAt, idempotency } = verification;
      const replay =
        idempotency === null ? undefined : await store.findReplay({ accountId, createdAt, idempotency });
      if (replay !== undefined) return replay;
      const retryAfterMs = untilNextDay(createdAt);
      return { kind: 'limited', scope: 'route', limit: cap.limit, retryAfterMs };
    }
    try {
      const outcome = await store.issue(verification);
      if (outcome.kind !== 'issued') cap.giveBack(place);
      return outcome;
    } catch (error) {
      if (error instanceof StoreUnavailable) cap.giveBack(place);
      throw error;
    }
  }

  /** A message that the store kept, worded as when it was first handed over. */
  reopen = (sealed: SealedMessage): OutgoingMessage => {
    const { keyring, messages } = this.#deps;
    const { id, accountId, test, channel, country, expiresAt, createdAt } = sealed;
    const address = openField(keyring, sealed.destinationSealed, id, 'destination');
    const destination = restoreDestination(address, country);
    const code = openField(keyring, sealed.codeSealed, id, 'code');
    const own = messagesOf(messages, sealed.settings ?? undefined);
    const wording = composeMessage(own, { code, country, channel, validForMs: expiresAt - createdAt });
    return { id, accountId, test, channel, destination, code, expiresAt, ...wording };
  };
}

const NONE: readonly number[] = [];
const NO_BUDGETS: readonly AccountBudget[] = [];

function chargeOf({ reservation }: NewVerification, index: number): Charge {
  const charge = reservation?.charges[index];
  if (charge === undefined) throw new Error('the store named a budget that was not asked');
  return charge;
}

function refuse(field: 'destination' | 'channel', code: FieldErrorCode, detail: string) {
  return { refusal: { kind: 'invalid', field, code, detail } } as const;
}

/** An empty list sets no bound. */
function allows<T>(allowed: readonly T[], one: T): boolean {
  return allowed.length === 0 || allowed.includes(one);
}

/** An account without limits of its own is one of the many whose calls a store takes together. */
function limitsOf(limits: readonly Limit[] | undefined): readonly Limit[] | undefined {
  return limits === undefined || limits.length === 0 ? undefined : limits;
}
