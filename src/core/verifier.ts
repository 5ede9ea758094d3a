/** The service's two operations, as the HTTP layer sees them. */
import { randomUUIDv7 } from 'node:crypto';
import type { OutgoingMessage } from './carrier.ts';
import { type CodePolicy, drawCode, normalizeCode } from './code.ts';
import type { HandOver, SealedMessage } from './delivery.ts';
import { type Channel, type Destination, parseDestination, restoreDestination } from './destination.ts';
import type { Funnel } from './funnel.ts';
import type { Keyring } from './keyring.ts';
import type { Limit } from './limits.ts';
import { MAGIC_DESTINATIONS } from './magic.ts';
import { composeMessage, type MessageOptions } from './message.ts';
import type { RouteFinder } from './routing.ts';
import type { VerificationStore } from './verification.ts';

/** Who asks: the API key of a request, resolved. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly test: boolean;
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
  | {
      readonly kind: 'limited';
      readonly scope: 'key' | 'destination';
      readonly limit: Limit;
      readonly retryAfterMs: number;
    };

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

  async request(caller: Caller, request: VerificationRequest): Promise<RequestAnswer> {
    const resolved = this.#resolve(caller, request);
    if ('refusal' in resolved) return resolved.refusal;
    const { destination } = resolved;
    if (request.idempotencyKey === undefined) return this.#issue(caller, request.channel, destination, null);

    const keyHash = this.#deps.keyring.idempotencyHash(request.idempotencyKey);
    const place = `${caller.accountId} ${keyHash}`;
    if (this.#inProgress.has(place)) return { kind: 'idempotency-in-progress' };
    this.#inProgress.add(place);
    try {
      return await this.#issue(caller, request.channel, destination, keyHash);
    } finally {
      this.#inProgress.delete(place);
    }
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

  /** The destination, or why no message can go there. */
  #resolve(
    { test }: Caller,
    { destination: input, channel }: VerificationRequest,
  ): { destination: Destination } | { refusal: RequestAnswer } {
    const parsed = parseDestination(input, channel);
    if (!parsed.ok) return { refusal: { kind: 'invalid', field: 'destination', detail: parsed.detail } };
    const { destination } = parsed;
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
      return { destination };
    }
    const route = this.#deps.findRoute(channel, destination);
    if (route.ok) return { destination };
    return { refusal: { kind: 'invalid', field: route.field, detail: route.detail } };
  }

  async #issue(
    { accountId, keyId, test }: Caller,
    channel: Channel,
    destination: Destination,
    idempotencyHash: string | null,
  ): Promise<RequestAnswer> {
    const { store, keyring, handOver, funnel, lease } = this.#deps;
    const { address, country } = destination;
    const id = `ver_${randomUUIDv7().replaceAll('-', '')}`;
    const code = drawCode(this.#deps.code);
    const hash = keyring.destinationHash(accountId, test, address);
    const createdAt = Date.now();
    const expiresAt = createdAt + this.#deps.code.validFor;
    const outcome = await store.issue({
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
    });
    switch (outcome.kind) {
      case 'issued': {
        const { text, locale } = composeMessage(this.#deps.messages, {
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

  /** A message that the store kept, worded as when it was first handed over. */
  reopen = (sealed: SealedMessage): OutgoingMessage => {
    const { keyring, messages } = this.#deps;
    const { id, accountId, test, channel, country, expiresAt, createdAt } = sealed;
    const destination = restoreDestination(keyring.open(sealed.destinationSealed, id), country);
    const code = keyring.open(sealed.codeSealed, id);
    const wording = composeMessage(messages, { code, country, channel, validForMs: expiresAt - createdAt });
    return { id, accountId, test, channel, destination, code, expiresAt, ...wording };
  };
}
