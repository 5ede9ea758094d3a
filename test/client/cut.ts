/** A proxy in front of a service that loses the next answer, after the service has given it. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import type { Service } from '../service.ts';

export async function startCutter({ port, ca, dataDir }: Service) {
  const sockets = new Set<TLSSocket>();
  let cuts = 0;
  let left = 0;
  const [cert, key] = await Promise.all(
    ['tls-cert.pem', 'tls-key.pem'].map((name) => readFile(join(dataDir, name))),
  );
  const server = createServer({ cert, key }, (client) => {
    const upstream = connect({ port, host: 'localhost', ca });
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (left === 0) client.write(chunk);
      else {
        left--;
        cuts++;
        end();
      }
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    baseUrl: `https://localhost:${own}`,
    /** How many answers were lost. */
    cuts: () => cuts,
    loseNext: (count: number) => {
      left = count;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
