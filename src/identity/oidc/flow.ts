/**
 * What a browser carries from the start of a sign-in at a provider to its end. It is sealed instead of stored, because
 * anyone may start one. Any node can open it, also after a restart. Only its use is recorded.
 */
import { hashToken, mintToken } from '../../accounts/token.ts';
import { isInTime } from '../../core/accounts/lasting.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import type { Records, Step } from '../../core/sql/records.ts';
import { markUsed } from '../sign-in/one-time.ts';

export const FLOW_SECONDS = 600;

export interface Flow {
  readonly state: string;
  readonly nonce: string;
  /** For PKCE (RFC 7636). */
  readonly verifier: string;
  /** Where the provider sends the browser back to; redeeming the code needs it again. */
  readonly redirectUri: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

export function beginFlow({ random }: Pick<Records, 'random'>, redirectUri: string, now: number): Flow {
  return {
    state: mintToken(random),
    nonce: mintToken(random),
    verifier: mintToken(random),
    redirectUri,
    expiresAt: now + FLOW_SECONDS * 1_000,
  };
}

export const sealFlow = (keyring: Keyring, provider: string, flow: Flow): string =>
  keyring.seal(JSON.stringify(flow), contextOf(provider));

/** Undefined if it is for another provider, too old, or not ours. */
export function openFlow(keyring: Keyring, provider: string, sealed: string, now: number): Flow | undefined {
  const flow = tryOpening(keyring, provider, sealed);
  return flow !== undefined && isInTime(flow.expiresAt, FLOW_SECONDS * 1_000, now) ? flow : undefined;
}

/** Refused if it was used before. */
export const useFlow = ({ state, expiresAt }: Flow): Step => markUsed('oidc', hashToken(state), expiresAt);

function tryOpening(keyring: Keyring, provider: string, sealed: string): Flow | undefined {
  let text: string;
  try {
    text = keyring.open(sealed, contextOf(provider));
  } catch {
    // It comes from outside, so it may be anything.
    return undefined;
  }
  return JSON.parse(text);
}

const contextOf = (provider: string): string => `single sign-on ${provider}`;
