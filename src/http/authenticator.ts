/** Resolves API keys from a small cache that no revocation outlives by a second, whichever process revoked. */
import type { Logger } from 'pino';
import type { KeyStore } from '../core/api-key.ts';
import { hashKey, isWellFormedKey } from '../core/api-key-format.ts';
import type { Caller } from '../core/verifier.ts';
import type { Authenticate } from './authentication.ts';
import { describeError } from './report.ts';

export interface Authenticator {
  /** The caller of a token, or null; rejects with StoreUnavailable when that cannot be known now. */
  readonly authenticate: Authenticate;
  /** Revokes the key of a token, at once and for good; false when it is no valid key. */
  revoke(token: string): Promise<boolean>;
  /** Forgets every key: to be called when this process created or revoked one. */
  forget(): void;
  /** Writes down the last uses and stops. */
  close(): Promise<void>;
}

export interface AuthenticatorOptions {
  readonly keys: KeyStore;
  readonly log: Logger;
  /** How often the store is asked whether keys changed, in ms. */
  readonly pollMs?: number;
  /** How often the last uses are written, in ms. */
  readonly flushMs?: number;
  readonly maxCached?: number;
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { keys, log, pollMs = 250, flushMs = 30_000, maxCached = 10_000 } = options;
  /** By hash, so that no key stays in memory in clear. Null: known to be no key, or revoked. */
  const cache = new Map<string, Caller | null>();
  const lookups = new Map<string, Promise<Caller | null>>();
  let lastUsed = new Map<string, number>();
  let revision: number | undefined;
  /** Changes with every forgetting, so that a lookup begun before it is not remembered after it. */
  let generation = 0;

  const forget = () => {
    generation++;
    cache.clear();
    lookups.clear();
  };

  const remember = (hash: string, caller: Caller | null) => {
    // The oldest entry goes, used or not: keeping order by use would cost every request, and the cap is generous.
    const oldest = cache.size >= maxCached ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(hash, caller);
  };

  const lookUp = async (hash: string): Promise<Caller | null> => {
    const begun = generation;
    const key = await keys.findKey(hash);
    const caller =
      key === undefined || key.revokedAt !== null
        ? null
        : { keyId: key.id, accountId: key.accountId, test: key.test };
    // Without a revision to compare with, a revocation would go unseen: nothing is remembered then.
    if (begun === generation && revision !== undefined) remember(hash, caller);
    return note(caller);
  };

  const note = (caller: Caller | null) => {
    if (caller !== null) lastUsed.set(caller.keyId, Date.now());
    return caller;
  };

  const authenticate: Authenticate = (token) => {
    const hash = hashKey(token);
    const known = cache.get(hash);
    if (known !== undefined) return note(known);
    if (!isWellFormedKey(token)) return null;
    // Many requests with one new key cost one look into the store.
    let lookup = lookups.get(hash);
    if (lookup === undefined) {
      const begun = lookUp(hash).finally(() => {
        if (lookups.get(hash) === begun) lookups.delete(hash);
      });
      lookups.set(hash, begun);
      lookup = begun;
    }
    return lookup;
  };

  let polls = 0;
  const poll = async () => {
    // The previous answer is overdue: until one comes, keys are looked up each time.
    if (polls > 1) distrust();
    polls++;
    try {
      const found = await keys.keysRevision();
      if (found !== revision) forget();
      revision = found;
    } catch {
      distrust();
    } finally {
      polls--;
    }
  };
  const distrust = () => {
    revision = undefined;
    forget();
  };

  const flush = async () => {
    if (lastUsed.size === 0) return;
    const noted = lastUsed;
    lastUsed = new Map();
    try {
      await keys.touchKeys(noted);
    } catch (error) {
      lastUsed = new Map([...noted, ...lastUsed]);
      log.warn({ error: describeError(error) }, 'last uses of keys not written');
    }
  };

  void poll();
  const timers = [
    setInterval(() => void poll(), pollMs).unref(),
    setInterval(() => void flush(), flushMs).unref(),
  ];

  return {
    authenticate,
    forget,
    revoke: async (token) => {
      if (!isWellFormedKey(token)) return false;
      const key = await keys.findKey(hashKey(token));
      if (key === undefined || key.revokedAt !== null) return false;
      await keys.revokeKey(key.id, Date.now());
      forget();
      return true;
    },
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await flush();
    },
  };
}
