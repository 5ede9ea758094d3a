/**
 * A load balancer for tests: passes each new connection on to the next address, byte for byte, so that TLS ends in the
 * nodes.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Spreader extends AsyncDisposable {
  readonly port: number;
  /** Connections passed to each address, in the order of the addresses. */
  readonly counts: readonly number[];
}

/** A port that does not answer is skipped, as a load balancer does. */
export async function startSpreader(ports: readonly number[]): Promise<Spreader> {
  const counts = ports.map(() => 0);
  const open = new Set<Socket>();
  let turn = 0;

  function track(socket: Socket): Socket {
    open.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
  }

  function hand(client: Socket, triesLeft: number): void {
    const index = turn++ % ports.length;
    const node = connect({ port: ports[index] ?? 0, host: '127.0.0.1' });
    node.once('error', () => {
      if (triesLeft > 1) hand(client, triesLeft - 1);
      else client.destroy();
    });
    node.once('connect', () => {
      counts[index] = (counts[index] ?? 0) + 1;
      track(node).once('close', () => client.destroy());
      client.once('close', () => node.destroy());
      client.pipe(node).pipe(client);
    });
  }

  const server = createServer((client) => hand(track(client), ports.length)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    counts,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
