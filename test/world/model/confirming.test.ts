import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DE, mismatch, refused, Story } from './story.ts';
import { DAY, MINUTE } from './table.ts';

test('a code is confirmed once, by its account and kind of key', () => {
  const story = new Story();
  const id = story.code('111111');
  const { model } = story;
  for (const key of ['a-test', 'b-live']) {
    story.model = model.copy();
    assert.match(story.confirm(id, '111111', undefined, { key }) ?? '', /another account, another kind/);
    story.model = model.copy();
    assert.equal(story.confirm(id, '111111', refused(404, 'verification-not-found'), { key }), undefined);
  }
  assert.equal(story.confirm(id, '111111'), undefined);
  assert.equal(story.confirm(id, '000000', refused(409, 'already-confirmed')), undefined);
  assert.match(story.confirm(id, '111111') ?? '', /instead of 409/);
});

test('a wrong code is not confirmed, a right one not refused, and guesses are counted', () => {
  const story = new Story();
  const id = story.code('111111');
  const { model } = story;
  const now = (...[code, answer]: [string, Parameters<Story['confirm']>[2]?]) => {
    story.model = model.copy();
    return story.confirm(id, code, answer);
  };
  assert.match(now('222222') ?? '', /wrong code was confirmed/);
  assert.match(now('111111', mismatch(2)) ?? '', /right code was refused/);
  assert.match(now('222222', mismatch(1)) ?? '', /attempts_remaining/);
  assert.match(now('222222', refused(403, 'attempts-exhausted')) ?? '', /guesses are left/);
  story.model = model;
  for (const left of [2, 1, 0]) assert.equal(story.confirm(id, '222222', mismatch(left)), undefined);
  assert.equal(story.confirm(id, '111111', refused(403, 'attempts-exhausted')), undefined);
  assert.match(story.confirm(id, '111111') ?? '', /none is left/);
});

test('wrong codes count for the number across its codes, and a success clears them', () => {
  const story = new Story();
  const [one, two] = [story.code('111111'), story.code('222222')];
  for (const left of [2, 1]) story.confirm(one, '0000', mismatch(left));
  for (const left of [2, 1]) assert.equal(story.confirm(two, '0000', mismatch(left)), undefined);
  const { model } = story;
  story.model = model.copy();
  assert.equal(story.confirm(one, '0000', mismatch(0)), undefined);
  assert.equal(story.confirm(two, '222222', refused(403, 'attempts-exhausted')), undefined);
  story.model = model;
  assert.equal(story.confirm(one, '111111'), undefined);
  assert.equal(story.confirm(two, '0000', mismatch(0)), undefined);
});

test('a code ends with its time; its record with its retention', () => {
  const story = new Story();
  const id = story.code('111111');
  story.wait(10 * MINUTE);
  assert.equal(story.confirm(id, '111111', refused(404, 'verification-expired')), undefined);
  assert.match(story.confirm(id, '111111') ?? '', /expired or was ended/);
  const early = new Story();
  const other = early.code('111111', { to: DE });
  assert.match(early.confirm(other, '111111', refused(404, 'verification-expired')) ?? '', /still valid/);
  early.wait(3 * DAY);
  assert.equal(early.confirm(other, '111111', refused(404, 'verification-not-found')), undefined);
});

test('a repeated guess gets the first answer and spends nothing', () => {
  const story = new Story();
  const id = story.code('111111');
  assert.equal(story.confirm(id, '0000', mismatch(2), { once: 'x' }), undefined);
  assert.equal(story.confirm(id, '00-00', mismatch(2), { once: 'x' }), undefined);
  assert.equal(story.confirm(id, '0001', refused(422, 'idempotency-key-reused'), { once: 'x' }), undefined);
  assert.equal(story.confirm(id, '0001', mismatch(1)), undefined);
  assert.match(story.confirm(id, '0000', mismatch(0), { once: 'x' }) ?? '', /first answer/);
});
