import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '../../../core/seams/clock.ts';
import { parseDatabaseAddress } from '../../../options/database-address.ts';
import { Servers } from './servers.ts';

const said = (type: string, ...body: readonly Buffer[]): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + Buffer.concat(body).length);
  return Buffer.concat([Buffer.from(type), length, ...body]);
};
const READY = said('Z', Buffer.from('I'));
const WELCOME = Buffer.concat([said('R', Buffer.alloc(4)), said('K', Buffer.alloc(8)), READY]);
const ONE_COLUMN = said('T', Buffer.from([0, 1]), Buffer.from('pool_version\0'), Buffer.alloc(18));
const ONE_ROW = said('D', Buffer.from([0, 1, 0, 0, 0, 3]), Buffer.from('4.3'));
const VERSION = Buffer.concat([ONE_COLUMN, ONE_ROW, said('C', Buffer.from('SELECT 1\0')), READY]);
const UNKNOWN = Buffer.concat([said('E', Buffer.from('SERROR\0C42883\0Mno\0\0')), READY]);

test('what answers as pgpool-II does is refused, with the fix', async (t) => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(WELCOME);
      socket.on('data', (asked) => socket.write(asked.includes('SHOW pool_version') ? VERSION : UNKNOWN));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const name = `127.0.0.1:${address.port}`;
  const parsed = parseDatabaseAddress(`postgres://me:x@${name}/any?sslmode=disable`);
  assert.ok(parsed.ok);
  const servers = new Servers(parsed.address, { machine: SYSTEM_CLOCK });
  t.after(() => servers.close());
  await assert.rejects(servers.connect(), /pgpool-II.*through PgBouncer or HAProxy/);
  assert.deepEqual(servers.notes, [{ server: name, state: 'pgpool' }]);
});
