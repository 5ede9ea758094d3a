/**
 * What a browser carries from the start of a sign-in at a provider to its end. Sealed instead of stored, since anybody may
 * start: any node can open it, also after a restart. That it was used is written down.
 */

import { hashToken, mintToken } from '../../accounts/token.ts';
import type { Step } from '../../core/records.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';

export const FLOW_SECONDS = 600;

export interface Flow {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
  /** Where the provider sends the browser back to; the same has to be named when the code is redeemed. */
  readonly redirectUri: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

export function beginFlow(redirectUri: string, now: number): Flow {
  return {
    state: mintToken(),
    nonce: mintToken(),
    verifier: mintToken(),
    redirectUri,
    expiresAt: now + FLOW_SECONDS * 1_000,
  };
}

export const sealFlow = (keyring: Keyring, provider: string, flow: Flow): string =>
  keyring.seal(JSON.stringify(flow), contextOf(provider));

/** Undefined when it was begun at another provider, too long ago, or not by us. */
export function openFlow(keyring: Keyring, provider: string, sealed: string, now: number): Flow | undefined {
  const flow = tryOpening(keyring, provider, sealed);
  return flow === undefined || flow.expiresAt <= now ? undefined : flow;
}

/** Refused when it was used before. */
export function useFlow({ state, expiresAt }: Flow): Step {
  return {
    sql: `INSERT INTO one_time (hash, purpose, person_id, expires_at) VALUES ($1, 'oidc', NULL, $2)
      ON CONFLICT (hash) DO NOTHING RETURNING hash`,
    args: [hashToken(state), expiresAt],
    guard: true,
  };
}

function tryOpening(keyring: Keyring, provider: string, sealed: string): Flow | undefined {
  let text: string;
  try {
    text = keyring.open(sealed, contextOf(provider));
  } catch {
    // It comes from outside, and what was not sealed by us may be anything.
    return undefined;
  }
  return JSON.parse(text);
}

const contextOf = (provider: string): string => `single sign-on ${provider}`;
