import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DE, refused, Story } from './story.ts';
import { HOUR, MINUTE } from './table.ts';

const budgets = [{ of: 'account', per: 'hour', money: 0.3 }] as const;
const none = (seconds: number) =>
  refused(429, 'budget-exhausted', { budget: 'account per hour' }, { 'retry-after': String(seconds) });

test('all carriers of the route are reserved until one took the message', () => {
  const story = new Story({}, { budgets });
  for (const to of ['+14155550102', '+14155550177']) assert.equal(story.verify({ to }), undefined);
  const { model } = story;
  story.model = model.copy();
  assert.match(story.verify({ to: DE }) ?? '', /budget account per hour is exceeded/);
  story.model = model.copy();
  assert.equal(story.verify({ to: DE }, none(3600)), undefined);
  assert.match(story.verify({ to: DE }, none(60)) ?? '', /not the end of the period/);
  story.model = model.copy();
  story.wait(HOUR);
  assert.equal(story.verify({ to: DE }), undefined);
});

test('what a delivered message did not cost is given back', () => {
  const story = new Story({}, { budgets });
  for (const to of ['+14155550102', '+14155550177']) {
    story.code('111111', { to });
    story.delivered('111111');
  }
  story.wait(20 * MINUTE);
  const { model } = story;
  story.model = model.copy();
  assert.equal(story.verify({ to: DE }), undefined);
  story.model = model;
  assert.match(story.verify({ to: DE }, none(2398)) ?? '', /without a reason/);
});

test('a message of which nobody knows whose it is may have freed what either holds', () => {
  const story = new Story({}, { budgets: [{ of: 'installation', per: 'day', money: 0.4 }] });
  for (let n = 0; n < 2; n++) story.verify();
  for (const code of ['111111', '222222']) story.sent(code);
  story.delivered('111111');
  assert.equal(story.verify({ to: DE }), undefined);
});

test('budgets that an account set hold for its own messages only, and are named as its own', () => {
  const story = new Story();
  const own = (of: 'account' | 'country') =>
    story.does({
      ...({ do: 'settings', account: 'a', twilio: false, countries: [] } as const),
      budgets: [{ of, per: 'hour', messages: 1 }],
    });
  assert.equal(own('country'), undefined);
  story.wait(2000);
  assert.equal(story.verify(), undefined);
  assert.equal(story.verify({ key: 'b-live', to: '+14155550102' }), undefined);
  assert.match(story.verify({ to: '+14155550102' }) ?? '', /budget account country per hour is exceeded/);
  assert.equal(story.verify({ to: DE }), undefined);
  const seconds = { 'retry-after': '3598' };
  const full = refused(429, 'budget-exhausted', { budget: 'account country per hour' }, seconds);
  assert.equal(story.verify({ to: '+14155550102' }, full), undefined);
  own('account');
  story.wait(2000);
  // what was accepted before counts only as far as it waits
  assert.equal(story.verify({ to: '+33612345678' }), undefined);
  assert.match(story.verify({ to: '+33612345678' }) ?? '', /budget account per hour is exceeded/);
});

test('other accounts, test keys and keys’ own budgets', () => {
  const story = new Story({}, { budgets: [{ of: 'account', per: 'day', messages: 1 }] });
  assert.equal(story.verify(), undefined);
  assert.equal(story.verify({ key: 'b-live' }), undefined);
  assert.equal(story.verify({ key: 'a-test' }), undefined);
  assert.match(story.verify() ?? '', /budget account per day/);
});
