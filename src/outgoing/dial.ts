/** Opens sockets to one origin. */
import { once } from 'node:events';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { urlToHttpOptions } from 'node:url';

export interface DialOptions {
  /** Certificates to trust instead of the usual ones, PEM. */
  readonly ca?: string | undefined;
  /** How its name becomes addresses. */
  readonly lookup?: LookupFunction | undefined;
}

export type Dial = () => Socket;

/** Idle for so long, a connection is probed, so that a peer that went without a word is noticed. */
const PROBED_MS = 60_000;

export function createDial(origin: URL, { ca, lookup }: DialOptions): Dial {
  const secure = origin.protocol === 'https:';
  const host = urlToHttpOptions(origin).hostname ?? '';
  const port = Number(origin.port) || (secure ? 443 : 80);
  const target = { host, port, ...(lookup && { lookup }) };
  const tls = {
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    ALPNProtocols: ['http/1.1'],
  };
  /** Makes the next handshake a short one. */
  let session: Buffer | undefined;

  return () => {
    const socket = secure ? connectTls({ ...target, ...tls, session }) : connectTcp(target);
    socket.setNoDelay(true).setKeepAlive(true, PROBED_MS);
    socket.on('session', (given: Buffer) => {
      session = given;
    });
    // Whoever uses it hears of its errors in ways of their own.
    socket.on('error', () => {
      session = undefined;
    });
    return socket;
  };
}

/** Resolves when requests can be written to it; rejects, and destroys it, if that fails or is given up. */
export async function connected(socket: Socket, signal: AbortSignal): Promise<void> {
  try {
    await once(socket, socket instanceof TLSSocket ? 'secureConnect' : 'connect', { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

export function socketErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
