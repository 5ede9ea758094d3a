/** For sockets that may end with a reset: `once` of node:events rejects where an error comes before the close. */
import type { Socket } from 'node:net';

/** Resolves when a socket is closed, however it ended; rejects when `signal` is aborted before. */
export function closed(socket: Socket, signal?: AbortSignal): Promise<void> {
  if (socket.closed) return Promise.resolve();
  return new Promise((resolve, reject) => {
    socket.once('close', () => resolve());
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
