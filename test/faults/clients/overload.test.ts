/** A service that has fallen behind refuses requests at once, instead of letting them wait without limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshNumber, problemOf } from '../../acceptance/client.ts';
import { startService } from '../../service.ts';

const REQUESTS = 50;
/** Well past any delay of a healthy service. */
const STANDSTILL_MS = 2_500;

test('requests that piled up while the service stood still are answered 503, and none is carried out', async (t) => {
  await using service = await startService({ config: { limits: { requestsPerKey: [] } } });
  const { client, pid } = service;
  // Connections are made beforehand: during the standstill no handshake gets through.
  await Promise.all(Array.from({ length: REQUESTS }, () => client.get('/healthz')));

  process.kill(pid, 'SIGSTOP');
  const requests = Array.from({ length: REQUESTS }, async () => {
    const destination = freshNumber();
    return { destination, answer: await client.verify(destination, 'sms', { askAgain: false }) };
  });
  await sleep(STANDSTILL_MS);
  process.kill(pid, 'SIGCONT');
  const outcomes = await Promise.all(requests);

  const refused = outcomes.filter(({ answer }) => answer.status !== 200);
  t.diagnostic(`${refused.length} of ${REQUESTS} turned away`);
  assert.ok(refused.length > 0);
  for (const { answer } of refused) {
    assert.deepEqual([answer.status, problemOf(answer)], [503, 'overloaded']);
    assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  }
  await sleep(500);
  for (const { destination } of refused) {
    assert.deepEqual(await client.messages(destination), []);
    await client.issue(destination);
  }
});
