/** HTTP to one gateway over kept connections. Uses node:http instead of fetch: less work per request, and a cap on sockets. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { abortAfter, type Clock } from '../../core/clock.ts';
import { http } from '../../runtime/node-http.ts';

export interface GatewayRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Our own id for the message, if its receipt comes under that. It is not sent as such. */
  readonly reference?: string | undefined;
}

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if it was longer than 64 KiB; the rest was not read. */
  readonly body: string | undefined;
}

/**
 * A whole answer, or why there was none. The reason never contains anything of the request. `unclear`: the gateway may
 * have read the request.
 */
type Exchange =
  | { readonly kind: 'answered'; readonly answer: GatewayAnswer }
  | { readonly kind: 'failed'; readonly reason: string; readonly unclear: boolean };

export interface Transport {
  /** `mayRepeat` says whether a request may be sent again that the gateway may have read; without it, it may. */
  send(request: GatewayRequest, signal: AbortSignal, mayRepeat?: () => boolean): Promise<Exchange>;
  /** Connects, completes the TLS handshake and disconnects. Rejects with a reason that may be shown. */
  probe(timeoutMs: number): Promise<void>;
  close(): void;
}

const MAX_BODY = 64 * 1024;
/** Errors of an open connection. With all others the request was not sent. */
const MID_EXCHANGE = /^(ECONNRESET|EPIPE|HPE_)/;

const ALWAYS = () => true;
const NEVER = () => false;

export function createTransport(
  clock: Pick<Clock, 'after'>,
  origin: URL,
  { connections, ca }: { connections: number; ca?: string | undefined },
): Transport {
  const secure = origin.protocol === 'https:';
  const port = Number(origin.port) || (secure ? 443 : 80);
  const host = urlToHttpOptions(origin).hostname ?? '';
  const trust = ca === undefined ? {} : { ca };
  const agentOptions = { keepAlive: true, maxSockets: connections, maxFreeSockets: connections };
  const agent = secure ? new HttpsAgent({ ...agentOptions, ...trust }) : new http.Agent(agentOptions);
  const open = secure ? requestHttps : http.request;

  function send(request: GatewayRequest, signal: AbortSignal, mayRepeat = ALWAYS): Promise<Exchange> {
    if (signal.aborted) return Promise.resolve(failed('timed out', false));
    return new Promise((resolve) => {
      const { method, path, headers, body } = request;
      const call = open({ host, port, method, path, headers, agent });
      const settle = (exchange: Exchange | Promise<Exchange>) => {
        signal.removeEventListener('abort', expire);
        resolve(exchange);
      };
      // Not the request's own `signal` option: it does nothing while the request waits for a free socket.
      const expire = () => {
        // Without a socket the request was still waiting for one.
        settle(failed('timed out', call.socket !== null));
        call.destroy();
      };
      signal.addEventListener('abort', expire, { once: true });
      let answering = false;
      call.on('error', (error) => {
        // The gateway closed an idle connection just as we took it. It did not see the request, or at worst sends the
        // same code twice, as a restart of ours may do too.
        const stale =
          call.reusedSocket && !answering && !signal.aborted && codeOf(error) === 'ECONNRESET' && mayRepeat();
        settle(
          stale
            ? send(request, signal, NEVER)
            : failed(`connection failed: ${codeOf(error)}`, MID_EXCHANGE.test(codeOf(error))),
        );
      });
      call.on('response', (response) => {
        answering = true;
        readAnswer(response, settle);
      });
      call.end(body);
    });
  }

  return {
    send,
    async probe(timeoutMs) {
      const name = isIP(host) ? {} : { servername: host };
      const socket = secure ? connectTls({ host, port, ...name, ...trust }) : connectTcp({ host, port });
      try {
        const signal = abortAfter(clock, timeoutMs);
        await once(socket, secure ? 'secureConnect' : 'connect', { signal });
      } catch (error) {
        const code = codeOf(error);
        throw new Error(`${host}:${port}: ${code === 'ABORT_ERR' ? 'timed out' : code}`);
      } finally {
        socket.on('error', () => {}).destroy();
      }
    },
    close: () => agent.destroy(),
  };
}

function readAnswer(response: IncomingMessage, settle: (exchange: Exchange) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const answer = (body: string | undefined) =>
    settle({
      kind: 'answered',
      answer: { status: response.statusCode ?? 0, headers: response.headers, body },
    });
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY) {
      chunks.push(chunk);
      return;
    }
    answer(undefined);
    response.destroy();
  });
  response.on('end', () => answer(new TextDecoder().decode(Buffer.concat(chunks))));
  response.on('error', () => settle(failed('connection closed in the middle of the answer', true)));
}

function failed(reason: string, unclear: boolean): Exchange {
  return { kind: 'failed', reason, unclear };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
