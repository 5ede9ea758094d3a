import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DE, done, invalid, mismatch, refused, Story, US } from './story.ts';
import { MINUTE, SECOND } from './table.ts';

const further = { flashcall: [{ carrier: 'five', price: 0.03 }] };
const story = (fixed: object = {}) => new Story(fixed, { further });
const called = (it: Story, code: string, to = US) => {
  it.verify({ channel: 'flashcall', to });
  const why = it.sent(code, { channel: 'flashcall', carrier: 'five', to, reference: `r-${code}-${to}` });
  it.wait(SECOND);
  return why ?? it.does({ do: 'wait', ms: 0 });
};
const full = refused(
  429,
  'daily-cap-reached',
  {},
  { 'retry-after': '60', 'ratelimit-policy': '"route-10m";q=2000;w=600' },
);

test('no two open codes are the same, whatever became of the first', () => {
  const it = story();
  assert.equal(called(it, '0417'), undefined);
  it.does({ do: 'erase', number: US });
  const { model } = it;
  it.model = model.copy();
  assert.match(called(it, '0417', DE) ?? '', /are the same/);
  it.model = model;
  it.wait(10 * MINUTE);
  assert.equal(called(it, '0417', DE), undefined);
});

test('no code is one of those that others have', () => {
  const it = story();
  it.does({ do: 'crowd', account: 'x', many: 4_000, lasts: MINUTE });
  it.wait(SECOND);
  assert.equal(called(it, '0418'), undefined);
  assert.match(called(it, '0417', DE) ?? '', /of another one that is open/);
});

test('a refusal needs many open codes, and many a refusal', () => {
  const it = story();
  const asked = (key: string, answer?: typeof full) =>
    it.does(
      { do: 'verify', key, to: US, channel: 'flashcall' },
      answer ?? done({ id: `ver_${it.n}`, destination: US, channel: 'flashcall' }),
    );
  assert.match(asked('a-live', full) ?? '', /without a reason/);
  it.does({ do: 'crowd', account: 'a', many: 2_000, lasts: MINUTE });
  const { model } = it;
  for (const [key, answer, wrong] of [
    ['a-live', undefined, /no ending is left/],
    ['a-live', full, undefined],
    ['b-live', undefined, undefined],
    ['b-live', full, /without a reason/],
    ['a-test', undefined, undefined],
  ] as const) {
    it.model = model.copy();
    const why = asked(key, answer);
    if (wrong === undefined) assert.equal(why, undefined);
    else assert.match(why ?? '', wrong);
  }
});

test('three guesses are allowed at most, and nobody chooses the code', () => {
  const it = story({ code: { length: 6, validFor: 10 * MINUTE, guesses: 5 } });
  called(it, '0417');
  const id = it.n - 1;
  assert.equal(it.confirm(id, '0001', mismatch(2)), undefined);
  assert.match(it.confirm(id, '0002', mismatch(3)) ?? '', /attempts_remaining/);
  const chosen = { channel: 'flashcall', code: '0418' } as const;
  assert.match(it.verify(chosen) ?? '', /not_allowed_value/);
  assert.equal(it.verify(chosen, invalid('options/custom_code', 'not_allowed_value')), undefined);
  assert.match(new Story().verify({ channel: 'flashcall' }) ?? '', /not_allowed_value of channel/);
});
