/** The listening sockets: TLS or, behind a proxy, plain HTTP, hardened against slow and malformed clients. */
import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { nodeHttp } from '../../runtime/node-http.ts';
import { formatProblem, PROBLEM_TYPE, PROBLEMS, type ProblemName } from '../problem.ts';
import { type IdleLimits, limitIdle } from './idle-connections.ts';
import type { KeyPair } from './key-pair.ts';

/** How long a client may take, in ms. */
export interface Patience {
  readonly handshake: number;
  readonly headers: number;
  readonly request: number;
  readonly keepAlive: number;
}

export const PATIENCE: Patience = { handshake: 5_000, headers: 5_000, request: 10_000, keepAlive: 65_000 };

const MIN_TLS = 'TLSv1.2';
const MAX_HEADER_BYTES = 8 * 1024;

export interface ListenerOptions {
  /** The certificate of a TLS listener; undefined for a plain one. */
  readonly keyPair: KeyPair | undefined;
  readonly patience: Patience;
  /** Connections beyond these are dropped at once. */
  readonly maxConnections: number;
  readonly idle?: IdleLimits | undefined;
}

/** A TLS connection takes 62 kB (21 kB before its handshake), most of it in OpenSSL, and a plain one 12 kB. */
const IDLE = { tls: { silent: 512, resting: 800 }, plain: { silent: 2_000, resting: 2_000 } };

export function createListener(
  { keyPair, patience, maxConnections, idle }: ListenerOptions,
  handle: RequestListener,
): Server {
  const options: ServerOptions = {
    headersTimeout: patience.headers,
    requestTimeout: patience.request,
    keepAliveTimeout: patience.keepAlive,
    connectionsCheckingInterval: Math.min(1_000, patience.headers),
    maxHeaderSize: MAX_HEADER_BYTES,
    noDelay: true,
  };
  const handler: RequestListener = (request, response) => {
    noteRequest(request, response);
    handle(request, response);
  };
  const server =
    keyPair === undefined
      ? nodeHttp.createServer(options, handler)
      : createTlsServer(
          { ...options, ...keyPair, minVersion: MIN_TLS, handshakeTimeout: patience.handshake },
          handler,
        );
  const noteRequest = limitIdle(server, idle ?? (keyPair === undefined ? IDLE.plain : IDLE.tls));
  server.maxConnections = maxConnections;
  server.on('clientError', answerClientError);
  // RFC 9110, section 10.1.1: an unknown expectation may be ignored, which keeps one error format.
  server.on('checkExpectation', handler);
  return server;
}

/** New connections get the new certificate; open ones keep theirs. */
export function renewKeyPair(listener: Server, keyPair: KeyPair): void {
  if (listener instanceof TlsServer) listener.setSecureContext({ ...keyPair, minVersion: MIN_TLS });
}

/** Answers what the parser rejected, if the client is still there, and ends the connection. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const name = clientErrorProblem(error.code);
  if (name === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status } = PROBLEMS[name];
  const body = formatProblem(name, randomUUID());
  socket.end(
    `HTTP/1.1 ${status} ${nodeHttp.STATUS_CODES[status]}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
    // Otherwise a client that never reads would keep the half-closed socket.
    () => socket.destroy(),
  );
}

/** What to tell the client; undefined if it cannot be told anything (a failed handshake, a reset). */
function clientErrorProblem(code: string | undefined): ProblemName | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return code?.startsWith('HPE_') ? 'malformed-http' : undefined;
}
