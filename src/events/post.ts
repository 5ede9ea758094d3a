/**
 * Requests to one endpoint over kept connections. Where they may go is checked on the addresses that a name stands for, in the
 * look-up of the connection itself: a name that changes between a check and a connection would be a way in. Redirects are not
 * followed.
 */
import { type LookupAddress, lookup } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { Clock } from '../core/clock.ts';
import { createAddressGuard, type MayReach } from '../core/events/addresses.ts';
import { http } from '../runtime/node-http.ts';
import { VERSION } from '../version.ts';

export type PostAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | undefined }
  /** The reason is for people, and names nothing of the request. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** When it could be said, there was nothing to say any more. */
  | { readonly kind: 'withdrawn'; readonly reason: string };

interface Said {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Post {
  /**
   * `say` is asked when there is a connection to say it over, so that nobody is told what was read long before: reaching an endpoint
   * may take as long as its answer. Undefined withdraws it. Rejects as `say` does.
   */
  send(say: () => Promise<Said | undefined>): Promise<PostAnswer>;
  /** Ends the requests under way, and closes the connections. */
  close(): void;
}

type PostClock = Pick<Clock, 'wall' | 'after'>;

export interface PostOptions {
  readonly clock: PostClock;
  readonly privateNetworks: readonly string[];
  readonly connections: number;
  readonly timeoutMs: number;
  /** Certificates to trust instead of the usual ones; for tests. */
  readonly ca?: string | undefined;
  readonly lookUp?: typeof lookup | undefined;
}

const NOT_ALLOWED = 'ENOTALLOWED';

export function createPost(address: string, options: PostOptions): Post {
  const url = new URL(address);
  const secure = url.protocol === 'https:';
  const { clock, privateNetworks, connections, timeoutMs, ca, lookUp = lookup } = options;
  // Without TLS only the networks that the operator named.
  const mayReach = secure ? createAddressGuard(privateNetworks) : onlyPrivate(privateNetworks);
  const agentOptions = {
    ...{ keepAlive: true, maxSockets: connections, maxFreeSockets: connections },
    ...(ca !== undefined && { ca }),
    lookup: guarded(lookUp, mayReach),
  };
  const agent = secure ? new HttpsAgent(agentOptions) : new http.Agent(agentOptions);
  const open = secure ? requestHttps : http.request;
  // Taken apart once, and not for each request.
  const target = { ...urlToHttpOptions(url), method: 'POST', agent };
  const connected = secure ? 'secureConnect' : 'connect';
  const ready = new WeakSet<Socket>();
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');

  return {
    send(say) {
      // What is no name is not looked up.
      if (isIP(literal) !== 0 && !mayReach(literal)) return Promise.resolve(failed(NOT_ALLOWED));
      return new Promise((resolve, reject) => {
        const call = open({
          ...target,
          headers: { 'content-type': 'application/json', 'user-agent': `Countersign/${VERSION}` },
        });
        const write = (said: Said | undefined) => {
          if (call.destroyed) return;
          if (said === undefined) {
            resolve({ kind: 'withdrawn', reason: 'there was nothing to say any more' });
            call.destroy();
            return;
          }
          for (const [name, value] of Object.entries(said.headers)) call.setHeader(name, value);
          call.setHeader('content-length', Buffer.byteLength(said.body));
          call.end(said.body);
        };
        const ask = () =>
          void say().then(write, (error) => {
            reject(error);
            call.destroy();
          });
        call.on('socket', (socket) => {
          if (ready.has(socket)) return ask();
          socket.once(connected, () => {
            ready.add(socket);
            ask();
          });
        });
        const timer = clock.after(timeoutMs, () => {
          resolve({ kind: 'failed', reason: `no answer within ${timeoutMs / 1_000} s` });
          call.destroy();
        });
        call.on('response', (response) => {
          timer[Symbol.dispose]();
          // The body says nothing to us. Read to its end if it is short, so that the connection can be kept.
          drain(response, clock);
          resolve({
            kind: 'answered',
            status: response.statusCode ?? 0,
            retryAfterMs: retryAfterOf(response.headers, clock.wall()),
          });
        });
        call.on('error', (error) => {
          timer[Symbol.dispose]();
          resolve(failed('code' in error ? String(error.code) : 'unknown'));
        });
      });
    },
    close: () => agent.destroy(),
  };
}

function onlyPrivate(networks: readonly string[]): MayReach {
  const [any, own] = [createAddressGuard([]), createAddressGuard(networks)];
  return (address) => own(address) && !any(address);
}

/** Looks a name up and leaves out the addresses that may not be reached. */
function guarded(lookUp: typeof lookup, mayReach: MayReach): LookupFunction {
  return (name, options, callback) => {
    lookUp(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const allowed = found.filter(({ address }) => mayReach(address));
      const [first] = allowed;
      if (first === undefined) callback(Object.assign(new Error('not allowed'), { code: NOT_ALLOWED }), []);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

const MAX_BODY = 64 * 1024;
const BODY_MS = 5_000;

function drain(response: NodeJS.ReadableStream & { destroy(): unknown }, clock: PostClock): void {
  let size = 0;
  const end = () => response.destroy();
  const timer = clock.after(BODY_MS, end);
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BODY) end();
  });
  response.on('error', () => {});
  response.on('close', () => timer[Symbol.dispose]());
}

/** In ms: `Retry-After` has seconds or a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(headers: IncomingHttpHeaders, now: number): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  const wanted = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wanted) ? undefined : Math.max(0, wanted);
}

const WORDS: Readonly<Record<string, string>> = {
  [NOT_ALLOWED]: 'its address is not on the public Internet, nor in webhooks.privateNetworks',
  ENOTFOUND: 'its name is not known (ENOTFOUND)',
  ECONNREFUSED: 'it refuses connections (ECONNREFUSED)',
};

const failed = (code: string) =>
  ({ kind: 'failed', reason: WORDS[code] ?? `the connection failed (${code})` }) as const;
