/** A service that may open few files and connections says so: at its start, and when none is left. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { eventually } from '../acceptance/client.ts';
import { startService } from '../service.ts';

test('out of file descriptors', async () => {
  await using service = await startService({ wrap: ['sh', '-c', 'ulimit -n 100; exec "$@"', 'sh'] });
  const lines = (words: RegExp) =>
    service
      .logs()
      .split('\n')
      .filter((line) => words.test(line));
  // The log is written twice a second.
  const warned = await eventually(async () => lines(/may open fewer files and connections/).at(0));
  assert.match(warned ?? '', /"limit":100,"needed":\d{5},.*ulimit -n/);

  // Its greeting reads files, and would end the start.
  const greeted = await eventually(
    async () => (lines(/portal\/setup/).length > 0 ? true : undefined),
    60_000,
  );
  assert.ok(greeted);
  const none = /no file descriptor is left: connections are dropped.*ulimit -n/;
  const sockets: Socket[] = [];
  const open = () => {
    const socket = connect(service.port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
  };
  const said = await eventually(async () => {
    // What is dropped at once does not count.
    for (let missing = 120 - sockets.filter(({ destroyed }) => !destroyed).length; missing > 0; missing--)
      open();
    return lines(none).length > 0 ? true : undefined;
  }, 60_000);
  for (const socket of sockets) socket.destroy();
  assert.ok(said, 'the log says so');
  assert.equal(lines(none).length, 1);
  const answer = await eventually(async () => {
    const { status } = await service.client.get('/healthz').catch(() => ({ status: 0 }));
    return status === 200 ? true : undefined;
  }, 60_000);
  assert.ok(answer, 'it goes on');
});
