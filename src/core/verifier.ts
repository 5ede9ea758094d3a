/** The service's two operations, as the HTTP layer sees them. */
import { randomUUIDv7 } from 'node:crypto';
import { type AccountSettings, codePolicyOf, messagesOf } from './account-settings.ts';
import type { Restrictions } from './api-key.ts';
import type { OutgoingMessage } from './carrier.ts';
import { type CodePolicy, drawCode, normalizeCode } from './code.ts';
import { type DailyCap, untilNextDay } from './daily-cap.ts';
import type { HandOver, SealedMessage } from './delivery.ts';
import { type Channel, type Destination, parseDestination, restoreDestination } from './destination.ts';
import { StoreUnavailable } from './errors.ts';
import type { Funnel } from './funnel.ts';
import type { Keyring } from './keyring.ts';
import type { Limit } from './limits.ts';
import { MAGIC_DESTINATIONS } from './magic.ts';
import { composeMessage, type MessageOptions } from './message.ts';
import type { Route, RouteFinder } from './routing.ts';
import type { IssueOutcome, NewVerification, VerificationStore } from './verification.ts';

/** Who asks: the API key of a request, resolved. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly test: boolean;
  /** What the key may be used for; undefined: for everything. */
  readonly restrictions?: Pick<Restrictions, 'channels' | 'countries'> | undefined;
  /** Undefined where the account sets nothing. */
  readonly settings?: AccountSettings | undefined;
}

export interface VerificationRequest {
  readonly destination: string;
  readonly channel: Channel;
  /** The client's `Idempotency-Key`, if it sent one. */
  readonly idempotencyKey: string | undefined;
}

export type RequestAnswer =
  | { readonly kind: 'issued'; readonly id: string; readonly destination: string; readonly channel: Channel }
  | { readonly kind: 'invalid'; readonly field: 'destination' | 'channel'; readonly detail: string }
  | { readonly kind: 'idempotency-mismatch' }
  | { readonly kind: 'idempotency-in-progress' }
  | Refusal;

/** A limit is reached: one of the key, one of the destination, or the daily cap of the route. */
interface Refusal {
  readonly kind: 'limited';
  readonly scope: 'key' | 'destination' | 'route';
  readonly limit: Limit;
  readonly retryAfterMs: number;
}

export type ConfirmAnswer =
  | {
      readonly kind: 'confirmed';
      readonly id: string;
      readonly destination: string;
      readonly channel: Channel;
      /** Unix ms. */
      readonly confirmedAt: number;
    }
  | { readonly kind: 'mismatch'; readonly attemptsRemaining: number }
  | { readonly kind: 'attempts-exhausted' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'already-confirmed' }
  | { readonly kind: 'unknown' };

/** Both reject with StoreUnavailable, and with nothing else, when nothing was done. */
export interface VerifierPort {
  request(caller: Caller, request: VerificationRequest): Promise<RequestAnswer>;
  confirm(caller: Caller, id: string, code: string): Promise<ConfirmAnswer>;
}

export interface VerifierDeps {
  readonly store: VerificationStore;
  readonly keyring: Keyring;
  readonly findRoute: RouteFinder;
  readonly capOf: (route: Route) => DailyCap | undefined;
  readonly handOver: HandOver;
  readonly funnel: Funnel;
  readonly code: CodePolicy;
  readonly messages: MessageOptions;
  /** What a magic destination that plays a reached limit is answered with. */
  readonly shownLimit: Limit;
  /** How long a fresh verification belongs to the node that wrote it, in ms. */
  readonly lease: number;
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
    const { destination, cap } = resolved;
    return idempotencyKey === undefined
      ? this.#issue(caller, channel, destination, cap, null)
      : this.#issueOnce(caller, channel, destination, cap, idempotencyKey);
  }

  async confirm(caller: Caller, id: string, code: string): Promise<ConfirmAnswer> {
    const { store, keyring, funnel } = this.#deps;
    const now = Date.now();
    const mac = keyring.codeMac(id, normalizeCode(code, this.#deps.code.alphabet));
    const outcome = await store.confirm({
      id,
      accountId: caller.accountId,
      codeMac: mac.current,
      previousCodeMac: mac.previous,
      now,
      limits: limitsOf(caller.settings?.failedGuessesPerDestination),
    });
    if (outcome.kind !== 'confirmed') return outcome;
    const { channel, country, carrier, createdAt, destinationSealed } = outcome;
    funnel.confirmed(channel, country, carrier ?? 'unknown', now - createdAt);
    return {
      kind: 'confirmed',
      id,
      destination: keyring.open(destinationSealed, id),
      channel,
      confirmedAt: now,
    };
  }

  /** The destination and the cap of its route, or why no message can go there. */
  #resolve(
    { test, restrictions, settings }: Caller,
    { destination: input, channel }: VerificationRequest,
  ): { destination: Destination; cap: DailyCap | undefined } | { refusal: RequestAnswer } {
    if (restrictions !== undefined && !allows(restrictions.channels, channel)) {
      const detail = `This API key may not use the channel ${channel}.`;
      return { refusal: { kind: 'invalid', field: 'channel', detail } };
    }
    const parsed = parseDestination(input, channel);
    if (!parsed.ok) return { refusal: { kind: 'invalid', field: 'destination', detail: parsed.detail } };
    const { destination } = parsed;
    if (restrictions !== undefined && !allows(restrictions.countries, destination.country)) {
      const detail = 'This API key may not send to the country of this destination.';
      return { refusal: { kind: 'invalid', field: 'destination', detail } };
    }
    if (test) {
      const magic = MAGIC_DESTINATIONS.get(destination.address);
      if (magic === 'unroutable') {
        return {
          refusal: { kind: 'invalid', field: 'destination', detail: 'No route serves this destination.' },
        };
      }
      if (magic === 'rate-limited') {
        const limit = this.#deps.shownLimit;
        return {
          refusal: { kind: 'limited', scope: 'destination', limit, retryAfterMs: limit.windowMs },
        };
      }
      return { destination, cap: undefined };
    }
    if (settings !== undefined && !allows(settings.countries, destination.country)) {
      const detail = 'This account does not send to the country of this destination.';
      return { refusal: { kind: 'invalid', field: 'destination', detail } };
    }
    const found = this.#deps.findRoute(channel, destination);
    if (found.ok) return { destination, cap: this.#deps.capOf(found.route) };
    return { refusal: { kind: 'invalid', field: found.field, detail: found.detail } };
  }

  async #issueOnce(
    caller: Caller,
    channel: Channel,
    destination: Destination,
    cap: DailyCap | undefined,
    idempotencyKey: string,
  ): Promise<RequestAnswer> {
    const keyHash = this.#deps.keyring.idempotencyHash(idempotencyKey);
    const place = `${caller.accountId} ${keyHash}`;
    if (this.#inProgress.has(place)) return { kind: 'idempotency-in-progress' };
    this.#inProgress.add(place);
    try {
      return await this.#issue(caller, channel, destination, cap, keyHash);
    } finally {
      this.#inProgress.delete(place);
    }
  }

  async #issue(
    { accountId, keyId, test, settings }: Caller,
    channel: Channel,
    destination: Destination,
    cap: DailyCap | undefined,
    idempotencyHash: string | null,
  ): Promise<RequestAnswer> {
    const { store, keyring, handOver, funnel, lease } = this.#deps;
    const { address, country } = destination;
    const id = `ver_${randomUUIDv7().replaceAll('-', '')}`;
    const code = drawCode(codePolicyOf(this.#deps.code, settings));
    const hash = keyring.destinationHash(accountId, test, address);
    const createdAt = Date.now();
    const expiresAt = createdAt + this.#deps.code.validFor;
    const verification: NewVerification = {
      id,
      accountId,
      keyId,
      test,
      channel,
      country,
      destinationHash: hash.current,
      previousDestinationHash: hash.previous,
      destinationSealed: keyring.seal(address, id),
      codeMac: keyring.codeMac(id, code).current,
      codeSealed: keyring.seal(code, id),
      guesses: this.#deps.code.guesses,
      createdAt,
      expiresAt,
      leaseUntil: createdAt + lease,
      idempotency:
        idempotencyHash === null
          ? null
          : { keyHash: idempotencyHash, bodyHash: `${channel} ${hash.current}` },
      limits: limitsOf(settings?.sendsPerDestination),
    };
    const outcome = await (cap === undefined ? store.issue(verification) : this.#write(verification, cap));
    switch (outcome.kind) {
      case 'issued': {
        const { text, locale } = composeMessage(messagesOf(this.#deps.messages, settings), {
          code,
          country,
          channel,
          validForMs: this.#deps.code.validFor,
        });
        funnel.requested(channel, country);
        handOver({ id, accountId, test, channel, destination, code, text, locale, expiresAt }, createdAt);
        return { kind: 'issued', id, destination: address, channel };
      }
      case 'replayed': {
        const first = outcome;
        const sent = keyring.open(first.destinationSealed, first.id);
        return { kind: 'issued', id: first.id, destination: sent, channel: first.channel };
      }
      default:
        return outcome;
    }
  }

  /** Takes a place within the route's cap, and gives it back when nothing was written: a replay, a refusal. */
  async #write(verification: NewVerification, cap: DailyCap): Promise<IssueOutcome | Refusal> {
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
    const destination = restoreDestination(keyring.open(sealed.destinationSealed, id), country);
    const code = keyring.open(sealed.codeSealed, id);
    const own = messagesOf(messages, sealed.settings ?? undefined);
    const wording = composeMessage(own, { code, country, channel, validForMs: expiresAt - createdAt });
    return { id, accountId, test, channel, destination, code, expiresAt, ...wording };
  };
}

/** An empty list sets no bound. */
function allows<T>(allowed: readonly T[], one: T): boolean {
  return allowed.length === 0 || allowed.includes(one);
}

/** An account without limits of its own is one of the many whose calls a store takes together. */
function limitsOf(limits: readonly Limit[] | undefined): readonly Limit[] | undefined {
  return limits === undefined || limits.length === 0 ? undefined : limits;
}
