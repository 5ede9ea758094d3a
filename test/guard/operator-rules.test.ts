/** The operator's own rules in a running service, whose messages leave the machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, problemOf } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { startService } from '../service.ts';

/** What the guard lets through before anybody confirmed anything is less. */
const FLOOD = 60;

test('a range that the guard has closed is allowed, and a number in it denied, while the service runs', async (t) => {
  await using gateway = await openGateway();
  await using service = await startService({
    config: {
      limits: { requestsPerKey: [], sendsPerDestination: ['10000/1m'] },
      carriers: { gateway: gateway.carrier },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
    },
    env: { COUNTERSIGN_GUARD_MODE: 'enforce' },
  });
  let asked = 0;
  const verify = () => service.client.verify(`+4915112345${String(asked++).padStart(3, '0')}`, 'sms');
  async function answersWith(status: number, ask = verify) {
    const since = performance.now();
    const answer = await eventually(async () => {
      const answer = await ask();
      return answer.status === status ? answer : undefined;
    });
    t.diagnostic(`answers with ${status} ${Math.round(performance.now() - since)} ms after the command`);
    assert.ok(answer !== undefined, `answers with ${status}`);
    return answer;
  }

  let refused = await verify();
  while (refused.status === 200 && asked < FLOOD) refused = await verify();
  assert.deepEqual([refused.status, problemOf(refused)], [429, 'guarded']);
  const sent = asked - 1;

  await service.command('guard', 'allow', '--range', '+4915112345', '--reason', 'a launch');
  await answersWith(200);
  assert.equal((await verify()).status, 200);
  const areSent = async () => gateway.received.length >= sent + 2 || undefined;
  assert.ok(await eventually(areSent), 'what is allowed is sent');

  const number = '+4915112345999';
  const denied = ['--number', number, '--for', '1h', '--reason', 'asked us to stop'];
  const id = (await service.command('guard', 'pause', ...denied)).trim();
  const ask = () => service.client.verify(number, 'sms');
  const answer = await answersWith(429, ask);
  assert.equal(problemOf(answer), 'guarded');
  assert.ok(!/asked us|pause|rule/.test(answer.text), 'the answer says nothing of why');
  assert.equal((await verify()).status, 200, 'the rest of the range is still allowed');
  await service.command('guard', 'lift', id);
  await answersWith(200, ask);
});
