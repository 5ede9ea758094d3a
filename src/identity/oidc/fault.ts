/** Why single sign-on failed, in words that may be logged: nothing that the provider wrote. */
import { Unreachable } from './bounded-fetch.ts';

export interface SignOnFault {
  /** `denied`: the provider or the person refused. `invalid`: its answer failed a check. */
  readonly kind: 'unreachable' | 'denied' | 'invalid';
  readonly reason: string;
}

/** Error codes of OAuth (RFC 6749, RFC 6750, OpenID Connect), which say what to fix. */
const OAUTH_ERROR = /^[a-z_]{1,40}$/;

export function describeFault(error: unknown): SignOnFault {
  if (error instanceof Unreachable) return { kind: 'unreachable', reason: error.code };
  if (!(error instanceof Error)) return { kind: 'invalid', reason: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  // The library's messages are its own words; what came from the provider is in `cause`.
  const told = code.startsWith('OAUTH_') ? `${code}: ${error.message}` : code;
  const answered = 'error' in error && typeof error.error === 'string' && OAUTH_ERROR.test(error.error);
  const reason = answered ? `${told} (${error.error})` : told;
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return { kind: 'denied', reason };
  return { kind: code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' ? 'unreachable' : 'invalid', reason };
}
