/** TCP and TLS connections to an SMSC. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import * as net from 'node:net';
import * as tls from 'node:tls';
import type { Clock } from '../../core/seams/clock.ts';
import type { LinkOptions } from './options.ts';

type ConnectionOptions = Pick<LinkOptions, 'host' | 'port' | 'connectTimeout' | 'tls'>;

/** Connects, or rejects with the error of the system, the certificate or the file. `signal` cancels. */
export async function connect(
  clock: Pick<Clock, 'after'>,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<net.Socket> {
  const { host, port, connectTimeout } = options;
  const secure = options.tls === false ? undefined : await tlsOptions(options.tls);
  signal.throwIfAborted();
  const socket = secure === undefined ? net.connect({ host, port }) : tls.connect({ host, port, ...secure });
  const late = () => socket.destroy(new Error('connection timed out'));
  const timer = clock.after(connectTimeout, late);
  const abort = () => socket.destroy(new Error('stopped'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await once(socket, secure === undefined ? 'connect' : 'secureConnect');
    // Nagle's algorithm holds a single submit_sm back until the last one is acknowledged: tens a second instead of
    // thousands.
    return socket.setNoDelay(true);
  } finally {
    timer[Symbol.dispose]();
    signal.removeEventListener('abort', abort);
  }
}

async function tlsOptions(options: Exclude<LinkOptions['tls'], false>): Promise<tls.ConnectionOptions> {
  const { ca, cert, key, servername, rejectUnauthorized } = options;
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized,
    ...(ca !== undefined && { ca: await readFile(ca) }),
    ...(cert !== undefined && { cert: await readFile(cert) }),
    ...(key !== undefined && { key: await readFile(key) }),
    ...(servername !== undefined && { servername }),
  };
}
