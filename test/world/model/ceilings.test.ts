import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveOptions } from '../options.ts';
import { done, LIVE, mismatch, refused, Story } from './story.ts';

type Ceilings = NonNullable<LiveOptions['ceilings']>;
const limited = (policy: string) =>
  refused(429, 'quota-exceeded', {}, { 'retry-after': '3600', ratelimit: 'x', 'ratelimit-policy': policy });
const reload = (story: Story, ceilings?: Ceilings) =>
  story.does({ do: 'reload', live: { ...LIVE, ...(ceilings && { ceilings }) } });

test('a ceiling of one account holds in place of the service’s, from the next code after a reload', () => {
  const story = new Story();
  assert.equal(reload(story, { a: { sends: ['1/1h'] } }), undefined);
  assert.equal(story.verify(), undefined);
  assert.match(story.verify() ?? '', /more codes than its limit/);
  assert.equal(story.verify({}, limited('"x";q=1;w=3600')), undefined);
  assert.match(story.verify({}, limited('"x";q=3;w=600')) ?? '', /names no limit that is reached/);
  assert.equal(story.verify({ key: 'a-test' }), undefined);
  for (let i = 0; i < 3; i++) assert.equal(story.verify({ key: 'b-live' }), undefined);
  assert.match(story.verify({ key: 'b-live' }) ?? '', /more codes than its limit/);
  assert.equal(reload(story, { a: { sends: ['2/1h'] } }), undefined);
  assert.equal(story.verify(), undefined);
  assert.equal(reload(story), undefined);
  assert.equal(story.verify(), undefined);
  assert.match(story.verify() ?? '', /more codes than its limit/);
});

test('what a ceiling lets through is no fault once it is lower', () => {
  const story = new Story({}, { ceilings: { a: { sends: ['5/1h'] } } });
  for (let i = 0; i < 5; i++) assert.equal(story.verify(), undefined);
  assert.equal(reload(story, { a: { sends: ['1/1h'] } }), undefined);
  assert.equal(story.verify({}, limited('"x";q=1;w=3600')), undefined);
});

test('it is of wrong codes, too', () => {
  const story = new Story({}, { ceilings: { a: { wrong: ['1/1h'] } } });
  const id = story.code('123456');
  assert.equal(story.confirm(id, '000000', mismatch(0)), undefined);
  assert.match(story.confirm(id, '000001', mismatch(1)) ?? '', /./);
  assert.equal(story.confirm(id, '000001', refused(403, 'attempts-exhausted')), undefined);
});

test('people see the ceiling of their account, and set nothing that it hides but what is there already', () => {
  const story = new Story({}, { ceilings: { a: { sends: ['4/1h'] } } });
  const sets = (sends: readonly string[], answer = done({})) =>
    story.does({ do: 'settings', by: 'ann', account: 'a', twilio: false, countries: [], sends }, answer);
  story.does({ do: 'sign-in', by: 'ann' });
  assert.equal(sets(['4/2h']), undefined);
  assert.match(sets(['9/1h']) ?? '', /which is to be refused/);
  assert.equal(sets(['9/1h'], refused(400, 'invalid-request')), undefined);
  assert.equal(reload(story, { a: { sends: ['1/1d'] } }), undefined);
  story.wait(2000);
  assert.equal(sets(['4/2h']), undefined);
  const shown = (limits: readonly string[], of: string) =>
    story.does(
      { do: 'list', by: 'ann', account: 'a', what: 'settings' },
      done({
        settings: { sends_per_destination: ['4/2h'], failed_guesses_per_destination: null },
        defaults: {
          sends_per_destination: { limits, of },
          failed_guesses_per_destination: { limits: ['5/1d'], of: 'service' },
        },
      }),
    );
  assert.equal(shown(['1/1d'], 'account'), undefined);
  assert.match(shown(['4/1h'], 'account') ?? '', /as its ceiling of sends/);
  assert.match(shown(['3/10m'], 'service') ?? '', /as its ceiling of sends/);
});
