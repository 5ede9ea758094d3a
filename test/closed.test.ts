import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { closed } from './closed.ts';

test('a socket that ends with a reset is closed', async () => {
  const server = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  socket.on('error', () => {});
  await closed(socket);
  server.close();
});
