import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '../seams/clock.ts';
import type { DailyCap } from './daily-cap.ts';
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

test('what is capped as before goes on with the same places, and what is not begins again', () => {
  const route: Route = { channel: 'sms', countries: ['DE'], carriers: ['sms'], dailyCap: 1 };
  const quotas = { takeQuota: async () => 0, returnQuota: async () => {} };
  const capsOf = (dailyCap: number, before: readonly DailyCap[]) =>
    createDailyCaps(quotas, SYSTEM_CLOCK, { routes: [route], carriers: { sms: { dailyCap } } }, before).all;
  const before = capsOf(2, []);
  const [ofRoute, ofCarrier] = capsOf(3, before);
  assert.equal(ofRoute, before[0]);
  assert.notEqual(ofCarrier, before[1]);
  assert.deepEqual(capsOf(2, before), before);
  assert.ok(capsOf(2, before).every((cap, index) => cap === before[index]));
  const alike = capsOf(1, []);
  assert.ok(
    capsOf(1, alike).every((cap, index) => cap === alike[index]),
    'places are not those of another that has as many',
  );
});
