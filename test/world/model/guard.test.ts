import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../command.ts';
import { DE, done, refused, Story, US } from './story.ts';
import { HOUR } from './table.ts';

const GUARDED = refused(429, 'guarded', {}, { 'retry-after': '60' });
type Rule = Omit<Extract<Command, { do: 'guard-rule' }>, 'do' | 'name'>;

/** What the model says of a code, once these rules are in effect. */
function withRules(...rules: readonly Rule[]): Story {
  const story = new Story({ guard: 'enforce' });
  for (const [i, rule] of rules.entries()) story.does({ do: 'guard-rule', name: `r${i + 1}`, ...rule });
  story.wait(2000);
  return story;
}
const number = { of: 'number', value: US } as const;
const range = (value: string) => ({ of: 'range', value }) as const;

test('what a rule refuses is not sent, and nothing else is refused', () => {
  const story = withRules({ action: 'deny', ...number });
  assert.match(story.verify() ?? '', /which a rule refuses/);
  assert.equal(story.verify({}, GUARDED), undefined);
  assert.match(story.verify({ to: DE }, GUARDED) ?? '', /without a reason/);
  assert.equal(story.verify({ key: 'a-test' }), undefined);
  assert.match(story.verify({}, refused(429, 'guarded', {}, { 'retry-after': '9' })) ?? '', /Retry-After/);
});

test('the most particular rule decides, and no account undoes what is refused to all', () => {
  const allowed = withRules({ action: 'deny', ...range('+1415') }, { action: 'allow', ...number });
  assert.equal(allowed.verify(), undefined);
  const longer = withRules({ action: 'deny', ...range('+1415555') }, { action: 'allow', ...range('+1415') });
  assert.match(longer.verify() ?? '', /refuses/);
  const same = withRules({ action: 'allow', ...number }, { action: 'deny', ...number });
  assert.match(same.verify() ?? '', /refuses/);
  const own = withRules({ action: 'deny', ...range('+1415') }, { account: 'a', action: 'allow', ...number });
  assert.match(own.verify() ?? '', /refuses/);
  const other = withRules({ account: 'b', action: 'deny', ...number });
  assert.equal(other.verify(), undefined);
  assert.match(other.verify({ key: 'b-live' }) ?? '', /refuses/);
  const key = withRules({ action: 'deny', of: 'key', value: 'a-live' });
  assert.match(key.verify() ?? '', /refuses/);
});

test('a rule ends by itself, or is lifted by who knows it', () => {
  const story = withRules({ action: 'deny', ...number, lasts: HOUR });
  story.wait(HOUR);
  assert.equal(story.verify(), undefined);
  const lifted = withRules({ account: 'a', action: 'deny', ...number });
  lifted.does({ do: 'sign-in', by: 'bob' });
  const lift = { do: 'lift-rule', name: 'r1' } as const;
  assert.match(lifted.does({ ...lift, by: 'bob', account: 'b' }) ?? '', /to be refused/);
  assert.equal(lifted.does(lift), undefined);
  lifted.wait(2000);
  assert.equal(lifted.verify(), undefined);
});

test('an account is shown its own rules that are in force', () => {
  const story = withRules(
    { account: 'a', action: 'deny', ...number, lasts: HOUR },
    { action: 'deny', ...number },
  );
  story.does({ do: 'sign-in', by: 'ann' });
  const shows = (...names: string[]) =>
    story.does(
      { do: 'list', by: 'ann', account: 'a', what: 'guard/rules' },
      done(names.map((reason) => ({ reason }))),
    );
  assert.equal(shows('r1'), undefined);
  assert.match(shows() ?? '', /r1 of a is not shown/);
  assert.match(shows('r1', 'r2') ?? '', /r2 of a is shown/);
  assert.match(shows('r1', 'r9') ?? '', /nobody made it/);
  story.wait(HOUR);
  assert.equal(shows(), undefined);
});

test('the guard is asked before the list of numbers, and after the list of ranges', () => {
  const story = withRules({ action: 'deny', ...number });
  story.does({ do: 'block', account: 'a', what: US });
  assert.equal(story.verify({}, GUARDED), undefined);
  story.does({ do: 'block', account: 'a', what: '+1415' });
  story.wait(2000);
  assert.match(story.verify({}, GUARDED) ?? '', /without a reason/);
});

const CA = '+14165550101';
test('a stopped country is told from those that begin in the same way, and yields to a range', () => {
  const stopped = withRules({ action: 'deny', of: 'country', value: 'US' });
  assert.match(stopped.verify() ?? '', /which a rule refuses/);
  assert.equal(stopped.verify({}, GUARDED), undefined);
  assert.equal(stopped.verify({ to: CA }), undefined);
  assert.match(stopped.verify({ to: CA }, GUARDED) ?? '', /without a reason/);
  assert.equal(stopped.verify({ key: 'a-test' }), undefined);
  const within = withRules(
    { action: 'deny', of: 'country', value: 'US' },
    { action: 'allow', ...range('+1415') },
  );
  assert.equal(within.verify(), undefined);
  const nobodys = { do: 'guard-rule', name: 'r9', action: 'deny', of: 'country', value: 'EH' } as const;
  assert.match(stopped.does(nobodys) ?? '', /to be refused/);
});

test('beside each country an account is shown what stops it', () => {
  const country = { of: 'country', value: 'US' } as const;
  const story = withRules(
    { account: 'a', action: 'pause', ...country, lasts: HOUR },
    { action: 'deny', ...country },
    { account: 'a', action: 'allow', ...country },
    { account: 'b', action: 'deny', ...country },
  );
  story.does({ do: 'sign-in', by: 'ann' });
  const shows = (names: readonly string[], allowed = true) =>
    story.does(
      { do: 'list', by: 'ann', account: 'a', what: 'countries' },
      done({ countries: [{ country: 'US', allowed, stops: names.map((reason) => ({ reason })) }] }),
    );
  assert.equal(shows(['r1', 'r2']), undefined);
  assert.match(shows(['r1']) ?? '', /r2 of a is not shown/);
  assert.match(shows(['r1', 'r2', 'r3']) ?? '', /r3 of a is shown/);
  assert.match(shows(['r1', 'r2', 'r4']) ?? '', /r4 of a is shown/);
  assert.match(shows(['r1', 'r2'], false) ?? '', /whether US is sent to/);
  story.wait(HOUR);
  assert.equal(shows(['r2']), undefined);
});
