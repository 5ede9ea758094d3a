import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '../clock.ts';
import { createDailyCaps } from './daily-caps.ts';
import type { Route } from './routing.ts';

test('each cap has its own name, and routes and carriers without one are not capped', async () => {
  const capped: Route = { channel: 'sms', countries: ['DE'], carriers: ['sms'], dailyCap: 1 };
  const free: Route = { channel: 'sms', carriers: ['sms'] };
  const asked: string[] = [];
  const quotas = {
    takeQuota: async (name: string, _day: number, max: number) => {
      asked.push(`${name}: ${max}`);
      return 1;
    },
    returnQuota: async () => {},
  };
  const carriers = { sms: { dailyCap: 2 }, voice: {} };
  const caps = createDailyCaps(quotas, SYSTEM_CLOCK, { routes: [capped, free], carriers });
  assert.equal(caps.ofRoute(free), undefined);
  assert.equal(caps.ofCarrier('voice'), undefined);
  assert.deepEqual(caps.all, [caps.ofRoute(capped), caps.ofCarrier('sms')]);
  for (const cap of caps.all) assert.notEqual(await cap.take(), undefined);
  assert.deepEqual(asked, ['route sms DE: 1', 'carrier sms: 2']);
});
