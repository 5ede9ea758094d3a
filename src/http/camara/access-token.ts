/**
 * Access tokens, for clients that do not send the key itself. A token is the key, its scopes and its end, sealed: so it needs no table,
 * has the kind and the restrictions of its key, and ends with it.
 */
import { isInTime } from '../../core/accounts/lasting.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';

export const SEND_VALIDATE = 'one-time-password-sms:send-validate';

export const TOKEN_SECONDS = 3_600;

export interface TokenDeps {
  readonly clock: Pick<Clock, 'wall'>;
  readonly keyring: Pick<Keyring, 'seal' | 'open'>;
}

export interface OpenedToken {
  readonly key: string;
  readonly scopes: readonly string[];
}

const CONTEXT = 'camara access token';

export function sealToken({ clock, keyring }: TokenDeps, { key, scopes }: OpenedToken): string {
  const until = clock.wall() + TOKEN_SECONDS * 1_000;
  return keyring.seal(JSON.stringify([until, key, ...scopes]), CONTEXT);
}

/** Undefined if it was not sealed here, has ended, or was made by a clock that was ahead. */
export function openToken({ clock, keyring }: TokenDeps, token: string): OpenedToken | undefined {
  let sealed: unknown;
  try {
    sealed = JSON.parse(keyring.open(token, CONTEXT));
  } catch {
    return undefined;
  }
  if (!Array.isArray(sealed)) return undefined;
  const [until, key, ...scopes] = sealed.map(String);
  if (key === undefined || !isInTime(Number(until), TOKEN_SECONDS * 1_000, clock.wall())) return undefined;
  return { key, scopes };
}
