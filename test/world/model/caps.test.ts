import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DE, LIVE, Story, US } from './story.ts';
import { DAY } from './table.ts';

const capped = (cap: number) => ({ route: [{ carrier: 'one', price: 0.05, cap }] });

test('a carrier takes as many messages on one day as its cap says, and more on the next', () => {
  const story = new Story({}, capped(1));
  story.code('111111');
  assert.equal(story.verify({ to: DE }), undefined);
  const second = { to: DE, reference: 'r-2' };
  const tomorrow = Object.assign(Object.create(Story.prototype), { ...story, model: story.model.copy() });
  assert.match(story.sent('222222', second) ?? '', /more than 1 messages on one day/);
  tomorrow.wait(DAY);
  assert.doesNotMatch(tomorrow.sent('222222', second) ?? '', /on one day/);
});

test('what was sent before there was a cap does not count', () => {
  const story = new Story({}, { route: [{ carrier: 'one', price: 0.05 }] });
  story.code('111111');
  story.wait(20_000);
  story.does({ do: 'reload', live: { ...LIVE, ...capped(1) } });
  story.wait(20_000);
  story.code('222222', { to: DE });
  assert.equal(story.verify({ to: US }), undefined);
  assert.match(story.sent('333333', { reference: 'r-3' }) ?? '', /more than 1 messages on one day/);
});
