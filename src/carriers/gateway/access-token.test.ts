import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../core/seams/clock-fixture.ts';
import { AccessToken } from './access-token.ts';

test('who waited for another’s token that did not come hears of no failure but their own', async () => {
  const token = new AccessToken<string>(createManualClock());
  const first = Promise.withResolvers<{ failed: string }>();
  let asked = 0;
  const ask = (failed: string) => async () => {
    asked++;
    return { failed };
  };
  const answers = [
    token.get(() => first.promise),
    token.get(ask('no longer wanted')),
    token.get(ask('refused')),
    token.get(async () => ({ token: 'good', lastsMs: 3_600_000 })),
    token.get(ask('too late')),
  ];
  first.resolve({ failed: 'timed out' });
  const [one, two, three, four, five] = await Promise.all(answers);
  assert.deepEqual(
    [one, two, three],
    [{ failed: 'timed out' }, { failed: 'no longer wanted' }, { failed: 'refused' }],
  );
  assert.ok(four && 'token' in four && four.token === 'good');
  assert.ok(five && 'token' in five && five.token === 'good');
  assert.equal(asked, 2);
});

test('a question that throws is nobody else’s', async () => {
  const token = new AccessToken<string>(createManualClock());
  const first = Promise.withResolvers<never>();
  const one = token.get(() => first.promise);
  const two = token.get(async () => ({ token: 'good', lastsMs: 3_600_000 }));
  first.reject(new Error('wrong'));
  await assert.rejects(one, /wrong/);
  assert.ok('token' in (await two));
});
