/**
 * Two handlers for a backend, over the platform's own Request and Response: `start` sends a code, `check` judges it. The API
 * key stays here; the browser gets a signed cookie that says which verification is its own.
 */

import type { Countersign } from './client.ts';
import { type Cookies, clearedCookie, createCookies } from './cookie.ts';
import { InvalidRequestError } from './errors.ts';
import type { Handler } from './express.ts';
import type { ConfirmResult, VerifyResult } from './results.ts';
import { isFromOwnPage, readJson } from './same-origin.ts';
import { type Platform, requireOption } from './settings.ts';
import { CHANNELS, type Channel } from './wire.ts';

export { type Handler, toExpress } from './express.ts';

/** What `start` answers. */
export type StartAnswer =
  /** The code is on its way. Offer to send another after `resendAfter` seconds. */
  | { readonly ok: true; readonly channel: Channel; readonly resendAfter: number }
  | Refused<'invalid' | 'limited' | 'forbidden' | 'unavailable'>;

/** What `check` answers. */
export type CheckAnswer =
  | { readonly ok: true }
  | Refused<'invalid' | 'mismatch' | 'exhausted' | 'expired' | 'forbidden' | 'unavailable'>;

interface Refused<Reason> {
  readonly ok: false;
  readonly reason: Reason;
  /** With `limited`: seconds. */
  readonly retryAfter?: number;
  /** With `mismatch`. */
  readonly attemptsRemaining?: number;
  /** With `invalid`, if the service refused the destination or the channel: such as `landline`. */
  readonly code?: string;
}

export interface HandlerOptions {
  readonly countersign: Pick<Countersign, 'verify' | 'confirm'>;
  /** Signs the cookie: at least 32 random characters, the same on all of your servers. */
  readonly secret: string;
  /** Called when the code was right. The headers of the Response it gives, such as a session cookie, go to the browser. */
  readonly onConfirmed: (
    destination: string,
    request: Request,
  ) => Response | undefined | Promise<Response | undefined>;
  /** The address of the person's device, if you know it: it helps the service to tell people from bots. */
  readonly clientIp?: ((request: Request) => string | undefined) | undefined;
  /** Told of what went wrong, while the browser is told only that it did. Writes it to the console by default. */
  readonly onError?: ((error: unknown, request: Request) => void) | undefined;
  /** After how many seconds another code may be offered. 30 by default. */
  readonly resendAfter?: number | undefined;
  /** @internal */
  readonly platform?: Pick<Platform, 'Date'> | undefined;
}

const STATUS = {
  invalid: 400,
  forbidden: 403,
  mismatch: 403,
  exhausted: 403,
  expired: 410,
  limited: 429,
  unavailable: 503,
} as const;

export function createHandlers(options: HandlerOptions): {
  readonly start: Handler;
  readonly check: Handler;
  /** As `check`, for a framework's own route. */
  readonly confirm: (request: Request, code: string) => Promise<ConfirmResult>;
} {
  const { secret, onConfirmed, onError = (error: unknown) => console.error(error) } = options;
  requireOption(typeof secret === 'string' && secret.length >= 32, 'secret', 'at least 32 random characters');
  requireOption(
    typeof onConfirmed === 'function',
    'onConfirmed',
    'a function of the destination and the request',
  );
  const cookies = createCookies(options);
  const protect = (handle: (body: Body, request: Request) => Promise<Response>): Handler => {
    return async (request) => {
      if (!isFromOwnPage(request)) return answer({ ok: false, reason: 'forbidden' });
      const body = await readJson(request);
      if (body === undefined) return answer({ ok: false, reason: 'invalid' });
      try {
        return await handle(body, request);
      } catch (error) {
        onError(error, request);
        return answer({ ok: false, reason: 'unavailable' });
      }
    };
  };
  return {
    start: protect((body, request) => start(options, cookies, body, request)),
    check: protect((body, request) => check(options, cookies, body, request)),
    confirm: (request, code) => confirmOwn(options, cookies, request, code),
  };
}

type Body = Readonly<Record<string, unknown>>;

async function start(
  options: HandlerOptions,
  cookies: Cookies,
  body: Body,
  request: Request,
): Promise<Response> {
  const { destination, channel: asked = 'sms' } = body;
  const channel = CHANNELS.find((each) => each === asked);
  if (typeof destination !== 'string' || channel === undefined)
    return answer({ ok: false, reason: 'invalid' });
  const ip = options.clientIp?.(request);
  const signals = ip === undefined ? undefined : { ip };
  let result: VerifyResult;
  try {
    result = await options.countersign.verify({ destination, channel, signals });
  } catch (error) {
    const faults = error instanceof InvalidRequestError ? error.errors : [];
    const fault = faults.find(({ field }) => field === 'destination' || field === 'channel');
    if (fault === undefined) throw error;
    return answer({ ok: false, reason: 'invalid', code: fault.code });
  }
  // Why nothing is sent to this destination, or to nobody, is not for the browser.
  if (result.kind !== 'sent') return answer({ ok: false, reason: 'limited', retryAfter: result.retryAfter });
  const cookie = await cookies.make(result.id, result.destination);
  return answer(
    { ok: true, channel: result.channel, resendAfter: options.resendAfter ?? 30 },
    { 'set-cookie': cookie },
  );
}

async function check(
  options: HandlerOptions,
  cookies: Cookies,
  body: Body,
  request: Request,
): Promise<Response> {
  const { code } = body;
  if (typeof code !== 'string' || code === '' || code.length > 64)
    return answer({ ok: false, reason: 'invalid' });
  const result = await confirmOwn(options, cookies, request, code);
  if (result.kind !== 'confirmed') return answer(refusalOf(result));
  const added = await options.onConfirmed(result.destination, request);
  const response = answer({ ok: true }, { 'set-cookie': clearedCookie });
  for (const [name, value] of added?.headers ?? []) {
    // The body is ours, and so is what describes it.
    if (!name.startsWith('content-')) response.headers.append(name, value);
  }
  return response;
}

/** Only what this browser asked for. */
async function confirmOwn(
  { countersign }: HandlerOptions,
  cookies: Cookies,
  request: Request,
  code: string,
): Promise<ConfirmResult> {
  const own = await cookies.read(request.headers.get('cookie') ?? '');
  if (own === undefined) return { kind: 'expired' };
  const result = await countersign.confirm(own.id, code);
  const isOther = result.kind === 'confirmed' && !(await own.isFor(result.destination));
  return isOther ? { kind: 'expired' } : result;
}

/** What is over is over: the person starts again, and need not know how it ended. */
function refusalOf(result: Exclude<ConfirmResult, { kind: 'confirmed' }>): CheckAnswer {
  switch (result.kind) {
    case 'mismatch':
      return { ok: false, reason: 'mismatch', attemptsRemaining: result.attemptsRemaining };
    case 'exhausted':
      return { ok: false, reason: 'exhausted' };
    case 'expired':
    case 'already-confirmed':
    case 'not-found':
      return { ok: false, reason: 'expired' };
  }
}

function answer(body: StartAnswer | CheckAnswer, headers: Readonly<Record<string, string>> = {}): Response {
  const status = body.ok ? 200 : STATUS[body.reason];
  const retryAfter = 'retryAfter' in body ? { 'retry-after': String(body.retryAfter) } : undefined;
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...retryAfter, ...headers } });
}
