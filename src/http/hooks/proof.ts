/** How a request shows that it comes from the system that the hook is for: a signature over its bytes, or the API key itself. */
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type HookOptions, signingKeysOf, signs } from '../../core/hooks/system.ts';
import { areEqual } from '../../core/secrets/constant-time.ts';
import { bearerToken } from '../admission/authentication.ts';
import { basicCredentials } from '../admission/basic.ts';

/** Why a request is taken for forged; for the log. */
type Forgery = 'no proof' | 'wrong proof' | 'wrong time';

/** Undefined: it is genuine. `now` is Unix ms. */
export type HookProof = (headers: IncomingHttpHeaders, body: Buffer, now: number) => Forgery | undefined;

/** As in the libraries of Standard Webhooks and of Zitadel, in both directions. */
const TOLERANCE_S = 300;

export function createHookProof({ system, key, secret = '' }: HookOptions): HookProof {
  if (!signs(system)) return proveByKey(key);
  const keys = signingKeysOf(system, secret);
  if (keys === undefined)
    throw new Error(`the configuration was checked, but the secret is none of ${system}`);
  switch (system) {
    case 'supabase':
      return proveByStandard(keys, 'webhook');
    case 'clerk':
      return proveByStandard(keys, 'svix');
    case 'zitadel':
      return proveByZitadel(keys);
    case 'authgear':
      return proveByBody(keys, 'x-authgear-body-signature');
  }
}

/** As a bearer token, or as the password of HTTP Basic with any user name. */
function proveByKey(key: string): HookProof {
  return ({ authorization }) => {
    const given = bearerToken(authorization) ?? basicCredentials(authorization)?.password;
    if (given === undefined) return 'no proof';
    return areEqual(given, key) ? undefined : 'wrong proof';
  };
}

/** Several are separated by blanks (Standard Webhooks), or by a comma and a blank (Supabase while its secrets rotate). */
const STANDARD_SIGNATURE = /(?<![^\s,])v1,([A-Za-z0-9+/]{43}=)/g;

/** Standard Webhooks, and Svix under names of its own: `v1,` and base64 over `id.timestamp.body`. */
function proveByStandard(keys: readonly Buffer[], prefix: 'webhook' | 'svix'): HookProof {
  return (headers, body, now) => {
    const id = headers[`${prefix}-id`];
    const time = headers[`${prefix}-timestamp`];
    const signatures = headers[`${prefix}-signature`];
    if (typeof id !== 'string' || typeof time !== 'string' || typeof signatures !== 'string')
      return 'no proof';
    const given = Array.from(signatures.matchAll(STANDARD_SIGNATURE), ([, signature = '']) => signature);
    return judge(keys, given, 'base64', `${id}.${time}.`, body) ?? judgeTime(time, now);
  };
}

/** `t=seconds,v1=hex`, the last once for each key, over `seconds.body`. Its documentation writes the header with `X-`. */
function proveByZitadel(keys: readonly Buffer[]): HookProof {
  return (headers, body, now) => {
    const header = headers['zitadel-signature'] ?? headers['x-zitadel-signature'];
    if (typeof header !== 'string') return 'no proof';
    const parts = header.split(',').map((part) => part.trim());
    const valuesOf = (name: string) =>
      parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
    const [time = ''] = valuesOf('t=');
    return judge(keys, valuesOf('v1='), 'hex', `${time}.`, body) ?? judgeTime(time, now);
  };
}

/** Hex over the body, and no time: what repeats a request is found by its content, and later held by the limits. */
function proveByBody(keys: readonly Buffer[], name: string): HookProof {
  return (headers, body) => {
    const header = headers[name];
    return typeof header === 'string' ? judge(keys, [header], 'hex', '', body) : 'no proof';
  };
}

function judge(
  keys: readonly Buffer[],
  given: readonly string[],
  encoding: 'hex' | 'base64',
  before: string,
  body: Buffer,
): Forgery | undefined {
  const expected = keys.map((key) => createHmac('sha256', key).update(before).update(body).digest(encoding));
  return expected.some((right) => given.some((one) => areEqual(one, right))) ? undefined : 'wrong proof';
}

/** Only of what is signed: to everybody else, a time says nothing. */
function judgeTime(seconds: string, now: number): Forgery | undefined {
  const isRecent = /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) - now / 1000) <= TOLERANCE_S;
  return isRecent ? undefined : 'wrong time';
}
