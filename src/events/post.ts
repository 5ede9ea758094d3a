/**
 * Requests to one endpoint over kept connections. Where they may go is checked on the addresses that a name stands for, in the
 * look-up of the connection itself: a name that changes between a check and a connection would be a way in. Redirects are not
 * followed.
 */
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { createAddressGuard, type MayReach } from '../core/events/addresses.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Head } from '../outgoing/connection.ts';
import { Connections } from '../outgoing/connections.ts';
import { readRetryAfter } from '../outgoing/retry-after.ts';
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

type Say = () => Promise<Said | undefined>;

export interface Post {
  /**
   * `say` is asked when there is a connection to say it over, so that nobody is told what was read long before: reaching an endpoint
   * may take as long as its answer. Undefined withdraws it. Rejects as `say` does.
   */
  send(say: Say): Promise<PostAnswer>;
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
  const { clock, privateNetworks, connections, timeoutMs, ca, lookUp = lookup } = options;
  // Without TLS only the networks that the operator named.
  const mayReach =
    url.protocol === 'https:' ? createAddressGuard(privateNetworks) : onlyPrivate(privateNetworks);
  const open = new Connections(url, { connections, ca, lookup: guarded(lookUp, mayReach) });
  const { auth } = urlToHttpOptions(url);
  const path = url.pathname + url.search;
  const usual = {
    'content-type': 'application/json',
    'user-agent': `Countersign/${VERSION}`,
    ...(auth && { authorization: `Basic ${Buffer.from(auth).toString('base64')}` }),
  };
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');

  async function tell(say: Say, signal: AbortSignal, onHead: (head: Head) => void): Promise<PostAnswer> {
    const connection = await open.take(signal);
    if (connection.kind === 'failed') return failed(connection.code);
    const said = await say().catch((error) => {
      connection.close();
      throw error;
    });
    if (said === undefined) {
      connection.close();
      return { kind: 'withdrawn', reason: 'there was nothing to say any more' };
    }
    const request = { method: 'POST', path, headers: { ...usual, ...said.headers }, body: said.body };
    const exchange = await connection.exchange(request, signal, onHead);
    return exchange.kind === 'failed' ? failed(exchange.code) : answered(exchange, clock.wall());
  }

  return {
    send(say) {
      // What is no name is not looked up.
      if (isIP(literal) !== 0 && !mayReach(literal)) return Promise.resolve(failed(NOT_ALLOWED));
      return new Promise((resolve, reject) => {
        const ending = new AbortController();
        let timer = clock.after(timeoutMs, () => {
          resolve({ kind: 'failed', reason: `no answer within ${timeoutMs / 1_000} s` });
          ending.abort();
        });
        const onHead = (head: Head) => {
          resolve(answered(head, clock.wall()));
          // The body says nothing to us. Read to its end if it is short, so that the connection can be kept.
          timer[Symbol.dispose]();
          timer = clock.after(BODY_MS, () => ending.abort());
        };
        tell(say, ending.signal, onHead)
          .then(resolve, reject)
          .finally(() => timer[Symbol.dispose]());
      });
    },
    close: () => open.close(),
  };
}

const BODY_MS = 5_000;

function answered({ status, headers }: Head, now: number): PostAnswer {
  return { kind: 'answered', status, retryAfterMs: readRetryAfter(headers['retry-after'], now) };
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

const WORDS: Readonly<Record<string, string>> = {
  [NOT_ALLOWED]: 'its address is not on the public Internet, nor in webhooks.privateNetworks',
  ENOTFOUND: 'its name is not known (ENOTFOUND)',
  ECONNREFUSED: 'it refuses connections (ECONNREFUSED)',
};

const failed = (code: string) =>
  ({ kind: 'failed', reason: WORDS[code] ?? `the connection failed (${code})` }) as const;
