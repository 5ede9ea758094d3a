import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, problem, Story, US } from './story.ts';

const OTP = 'ONE_TIME_PASSWORD_SMS.';
const SEND = { do: 'camara-send', key: 'a-live', to: US } as const;
const check = (id: number, code: string) => ({ do: 'camara-check', key: 'a-live', id, code }) as const;
const refusal = (status: number, code: string) => ({
  ...problem(status, 0),
  body: { status, code, message: '' },
});
const RIGHT = { status: 204, body: undefined, headers: {} };
const WRONG = refusal(400, `${OTP}INVALID_OTP`);
const FAILED = refusal(400, `${OTP}VERIFICATION_FAILED`);
const EXPIRED = refusal(400, `${OTP}VERIFICATION_EXPIRED`);

function started(): Story {
  const story = new Story();
  story.does({ do: 'settings', account: 'a', twilio: false, camara: true, countries: [] });
  story.wait(2000);
  return story;
}
/** Its command's number. */
function sends(story: Story, code: string): number {
  const why = story.does(SEND, done({ authenticationId: `ver_${story.n + 1}` })) ?? story.sent(code);
  assert.equal(why, undefined);
  story.wait(1000);
  return story.n;
}

test('it is off until an owner turns it on', () => {
  const story = new Story();
  assert.equal(story.does(SEND, refusal(403, 'PERMISSION_DENIED')), undefined);
  assert.match(story.does(SEND, done({ authenticationId: 'ver_2' })) ?? '', /off/);
  assert.match(started().does(SEND, refusal(403, 'PERMISSION_DENIED')) ?? '', /without a reason/);
});

test('a new code ends the earlier ones of its number, by whichever door they came', () => {
  const story = started();
  const earlier = [story.code('111111'), sends(story, '222222')];
  const last = sends(story, '333333');
  assert.match(story.does(check(earlier[0] ?? 0, '111111'), RIGHT) ?? '', /over/);
  assert.match(story.confirm(earlier[1] ?? 0, '222222') ?? '', /ended/);
  assert.equal(story.does(check(earlier[1] ?? 0, '222222'), EXPIRED), undefined);
  assert.equal(story.does(check(last, '333333'), RIGHT), undefined);
  assert.equal(story.does(check(last, '333333'), EXPIRED), undefined);
});

test('a code of another door ends none', () => {
  const story = started();
  const first = sends(story, '111111');
  story.code('222222');
  assert.match(story.does(check(first, '111111'), EXPIRED) ?? '', /still valid/);
  assert.equal(story.does(check(first, '111111'), RIGHT), undefined);
});

test('the last wrong guess is told as the one that fails', () => {
  const story = started();
  const id = sends(story, '111111');
  assert.match(story.does(check(id, '000000'), FAILED) ?? '', /with 2 to 2 guesses left/);
  const again = started();
  const other = sends(again, '111111');
  for (let i = 0; i < 2; i++) assert.equal(again.does(check(other, '000000'), WRONG), undefined);
  assert.match(again.does(check(other, '111111'), FAILED) ?? '', /the right code was refused/);
  assert.equal(again.does(check(other, '000000'), FAILED), undefined);
  assert.equal(again.does(check(other, '111111'), FAILED), undefined);
  assert.match(again.does(check(other, '111111'), RIGHT) ?? '', /none is left/);
});
