/** Resolves API keys from a small cache. A revoked key is out of it within a second, whichever process revoked it. */
import type { Logger } from 'pino';
import { THE_SERVICE } from '../../core/accounts/actor.ts';
import type { FoundKey, KeyStore, KeyUse } from '../../core/accounts/api-key.ts';
import { hashApiKey, isWellFormedKey } from '../../core/accounts/api-key-format.ts';
import { describeError } from '../../core/errors/error-facts.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Caller } from '../../core/verification/request.ts';
import { matchAddresses } from '../proxy/peer.ts';
import type { Authenticate, Identified } from './authentication.ts';

export interface Authenticator {
  /** The caller of a token, or why there is none; rejects with StoreUnavailable when that cannot be known now. */
  readonly authenticate: Authenticate;
  /** Revokes the key of a token for good; false when the key is not valid. */
  revoke(token: string): Promise<boolean>;
  /** Forgets every key. Call it when this process created or revoked one. */
  forget(): void;
  close(): Promise<void>;
}

export interface AuthenticatorOptions {
  readonly keys: Pick<KeyStore, 'findKey' | 'revokeKey' | 'touchKeys' | 'keysRevision'>;
  /** Hears the revision of each poll: it also changes with what else accounts have, such as endpoints. */
  readonly onRevision?: ((revision: number) => void) | undefined;
  readonly clock: Pick<Clock, 'now' | 'every'>;
  readonly log: Logger;
  /** How often the store is asked whether keys changed, in ms. */
  readonly pollMs?: number;
  /** How often the last uses are written, in ms. */
  readonly flushMs?: number;
  readonly maxCached?: number;
}

interface KnownKey {
  readonly caller: Caller;
  /** Unix ms; infinite when it never expires. */
  readonly expiresAt: number;
  /** Undefined: from any address. */
  readonly isAllowedFrom: ((address: string) => boolean) | undefined;
  usedAt: number;
  usedFrom: string;
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { keys, onRevision, clock, log, pollMs = 250, flushMs = 30_000, maxCached = 10_000 } = options;
  /** By hash, so that no key stays in memory in clear. Null: unknown or revoked. */
  const cache = new Map<string, KnownKey | null>();
  const lookups = new Map<string, Promise<KnownKey | null>>();
  let used = new Set<KnownKey>();
  let revision: number | undefined;
  /** Changes with every `forget`, so that a lookup that began before it is not remembered after it. */
  let generation = 0;

  const forget = () => {
    generation++;
    cache.clear();
    lookups.clear();
  };

  const remember = (hash: string, key: KnownKey | null) => {
    // The oldest entry goes: keeping them in order of use would cost every request, and the cap is generous.
    const oldest = cache.size >= maxCached ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(hash, key);
  };

  const lookUp = async (hash: string): Promise<KnownKey | null> => {
    const begun = generation;
    const found = await keys.findKey(hash);
    const key = found === undefined || found.revokedAt !== null ? null : knownKey(found);
    // Without a revision to compare with, a revocation would go unnoticed.
    if (begun === generation && revision !== undefined) remember(hash, key);
    return key;
  };

  const identify = (key: KnownKey | null, address: string): Identified => {
    if (key === null) return 'unknown';
    const now = clock.now();
    if (key.expiresAt <= now) return 'expired';
    if (key.isAllowedFrom !== undefined && !key.isAllowedFrom(address)) return 'wrong-source';
    key.usedAt = now;
    key.usedFrom = address;
    used.add(key);
    return key.caller;
  };

  const authenticate: Authenticate = (token, address) => {
    const hash = hashApiKey(token);
    const known = cache.get(hash);
    if (known !== undefined) return identify(known, address);
    if (!isWellFormedKey(token)) return 'unknown';
    // Many requests with one new key share one look into the store.
    let lookup = lookups.get(hash);
    if (lookup === undefined) {
      const begun = lookUp(hash).finally(() => {
        if (lookups.get(hash) === begun) lookups.delete(hash);
      });
      lookups.set(hash, begun);
      lookup = begun;
    }
    return lookup.then((key) => identify(key, address));
  };

  let polls = 0;
  const poll = async () => {
    // The previous answer is overdue. Until one comes, keys are looked up each time.
    if (polls > 1) distrust();
    polls++;
    try {
      const found = await keys.keysRevision();
      if (found !== revision) forget();
      revision = found;
      onRevision?.(found);
    } catch (error) {
      distrust();
      log.warn({ error: describeError(error) }, 'keys cannot be looked up');
    } finally {
      polls--;
    }
  };
  const distrust = () => {
    revision = undefined;
    forget();
  };

  const flush = async () => {
    if (used.size === 0) return;
    const noted = used;
    used = new Set();
    try {
      await keys.touchKeys(lastUses(noted));
    } catch (error) {
      used = noted.union(used);
      log.warn({ error: describeError(error) }, 'last uses of keys not written');
    }
  };

  void poll();
  const timers = [
    clock.every(pollMs, () => void poll()).unref(),
    clock.every(flushMs, () => void flush()).unref(),
  ];

  return {
    authenticate,
    forget,
    revoke: async (token) => {
      if (!isWellFormedKey(token)) return false;
      const key = await keys.findKey(hashApiKey(token));
      if (key === undefined || key.revokedAt !== null) return false;
      await keys.revokeKey(key.id, clock.now(), THE_SERVICE, 'it was sent unencrypted');
      forget();
      return true;
    },
    close: async () => {
      for (const timer of timers) timer[Symbol.dispose]();
      await flush();
    },
  };
}

function knownKey(found: FoundKey): KnownKey {
  const { id, accountId, test, expiresAt, restrictions, customCodes, settings, blockedRanges, predecessors } =
    found;
  const { channels, countries, sources } = restrictions;
  const isRestricted = channels.length > 0 || countries.length > 0;
  return {
    caller: {
      keyId: id,
      predecessors,
      accountId,
      test,
      restrictions: isRestricted ? { channels, countries } : undefined,
      customCodes: customCodes || undefined,
      settings: settings ?? undefined,
      blockedRanges: blockedRanges.length > 0 ? blockedRanges : undefined,
    },
    expiresAt: expiresAt ?? Number.POSITIVE_INFINITY,
    isAllowedFrom: sources.length > 0 ? matchAddresses(sources) : undefined,
    usedAt: 0,
    usedFrom: '',
  };
}

/** One for each key: a key that was forgotten and looked up again is in the set twice. */
function lastUses(keys: ReadonlySet<KnownKey>): KeyUse[] {
  const uses = new Map<string, KeyUse>();
  for (const { caller, usedAt, usedFrom } of keys) {
    const { keyId: id } = caller;
    if (usedAt > (uses.get(id)?.at ?? 0)) uses.set(id, { id, at: usedAt, from: usedFrom });
  }
  return [...uses.values()];
}
