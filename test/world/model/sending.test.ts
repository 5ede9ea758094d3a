import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DE, done, invalid, refused, Story, US } from './story.ts';
import { DAY, MINUTE } from './table.ts';

const policy = { 'ratelimit-policy': '"destination-10m";q=3;w=600', ratelimit: '"destination-10m";r=0;t=5' };

test('a promise beyond the limit of a number is wrong, and so is a refusal before it', () => {
  const story = new Story();
  const full = (after = '597') => refused(429, 'quota-exceeded', {}, { ...policy, 'retry-after': after });
  for (const code of ['111111', '222222']) story.code(code);
  assert.match(story.verify({}, full()) ?? '', /without a reason/);
  const again = new Story();
  for (const code of ['111111', '222222', '333333']) again.code(code);
  const { model } = again;
  again.model = model.copy();
  assert.match(again.verify() ?? '', /more codes than its limit/);
  again.model = model.copy();
  assert.equal(again.verify({}, full()), undefined);
  again.model = model.copy();
  assert.match(again.verify({}, full('596')) ?? '', /ends before/);
  again.model = model.copy();
  again.wait(10 * MINUTE);
  assert.equal(again.verify(), undefined);
});

test('a refusal with 400 has its reason, and the reason its refusal', () => {
  const says = (to: string, answer?: Parameters<Story['verify']>[1], key = 'a-live') =>
    new Story({}, { countries: ['US', 'GB'] }).verify({ to, key }, answer);
  assert.equal(says('+442079460000', invalid('destination', 'landline')), undefined);
  assert.match(says('+442079460000') ?? '', /landline/);
  assert.match(says(US, invalid('destination', 'landline')) ?? '', /without a reason/);
  assert.equal(says(DE, invalid('destination', 'country_not_allowed')), undefined);
  assert.match(says(DE) ?? '', /country_not_allowed/);
  assert.equal(says(DE, undefined, 'a-test'), undefined);
  assert.equal(says('+15005550005', invalid('destination', 'no_route'), 'a-test'), undefined);
  assert.match(says('+15005550006', undefined, 'a-test') ?? '', /test number/);
  assert.match(new Story().verify({ code: '123456', key: 'b-live' }) ?? '', /not_permitted/);
});

test('a repetition under an Idempotency-Key gets the first answer, and another body does not', () => {
  const story = new Story();
  story.verify({ once: 'x' });
  story.sent('111111');
  story.wait(DAY / 2);
  const first = done({ id: 'ver_1', destination: US, channel: 'sms' });
  assert.equal(story.verify({ once: 'x' }, first), undefined);
  assert.equal(story.verify({ once: 'x', to: DE }, refused(422, 'idempotency-key-reused')), undefined);
  // another account's string is another one
  assert.equal(story.verify({ once: 'x', to: DE, key: 'b-live' }), undefined);
  assert.match(story.verify({ once: 'x' }) ?? '', /first answer/);
  const late = new Story();
  late.verify({ once: 'x' });
  late.wait(DAY + 1);
  assert.equal(late.verify({ once: 'x' }), undefined);
});

test('what is unknown is gone on with in both ways', () => {
  const story = new Story();
  assert.equal(story.verify({ once: 'x' }, refused(503, 'outcome-unknown')), undefined);
  assert.equal(story.model.states.length, 2);
  assert.equal(story.sent('111111'), undefined); // so it was done
  story.wait(1000);
  assert.equal(story.verify({ once: 'x' }), undefined);
  assert.equal(story.model.states.length, 1);
  assert.equal(story.confirm(2, '111111'), undefined);
});

test('a hook’s repetition within 30 seconds is one request', () => {
  const story = new Story();
  const hook = (id: string) =>
    story.does({ do: 'hook', system: 'kratos', to: US, code: '4711' }, done({ id }));
  assert.equal(hook('ver_a'), undefined);
  story.wait(29_000);
  assert.equal(hook('ver_a'), undefined);
  story.wait(2000);
  assert.match(hook('ver_a') ?? '', /twice/);
});
