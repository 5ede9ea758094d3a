/** A range is pumped through the doors that take codes of the client's own, on a running service and through to a gateway. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mintKey } from '../../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { eventually, problemOf } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { startService } from '../service.ts';
import { addKey } from './hook-key.ts';
import { createSystems } from './systems.ts';

const NUMBERS = 40;

test('a range that is pumped is stopped after as many through a hook as through /verify', async () => {
  await using gateway = await openGateway();
  const minted = mintKey(SYSTEM_RANDOM, false);
  const { key } = minted;
  await using service = await startService({
    config: {
      limits: { requestsPerKey: [] },
      carriers: { gateway: gateway.carrier },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
      hooks: { live: { system: 'kratos', key } },
    },
    env: { COUNTERSIGN_GUARD_MODE: 'enforce' },
  });
  await addKey(service, { ...minted, customCodes: true });
  const kratos = createSystems(key).find(({ name }) => name === 'kratos') ?? assert.fail();
  const doors = {
    hook: (number: string) => {
      const { headers, body } = kratos.make(number, '482913').send();
      return service.client.post('/hooks/live', undefined, { key: null, raw: body, headers });
    },
    brought: (destination: string) => {
      const options = { custom_code: '482913' };
      return service.client.post('/verify', { destination, channel: 'sms', options }, { key });
    },
    drawn: (destination: string) => service.client.post('/verify', { destination, channel: 'sms' }, { key }),
  };
  // The service may not have heard of its key yet.
  await eventually(async () => (await doors.hook('+14155550100')).status === 200 || undefined);
  const sent = async (door: (number: string) => ReturnType<typeof doors.drawn>, range: string) => {
    let passed = 0;
    for (let index = 0; index < NUMBERS; index++) {
      const answer = await door(`${range}${String(index).padStart(3, '0')}`);
      if (answer.status === 200) passed += 1;
      else assert.equal(problemOf(answer), 'guarded');
    }
    return passed;
  };
  const counts = [
    await sent(doors.hook, '+212661234'),
    await sent(doors.brought, '+998901234'),
    await sent(doors.drawn, '+2348031234'),
  ];
  // A counter fades while the requests are under way.
  for (const count of counts) assert.ok(count >= 10 && count <= 11, counts.join(', '));
});
