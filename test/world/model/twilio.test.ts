import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approved, done, pending, problem, refused, Story, US } from './story.ts';

function started(): Story {
  const story = new Story();
  story.turnsOn();
  return story;
}

test('it is off until an owner turns it on', () => {
  const story = new Story();
  const send = { do: 'twilio-send', key: 'a-live', to: US, channel: 'sms' } as const;
  assert.equal(story.does(send, problem(404, 20404)), undefined);
  assert.match(
    story.does(send, done({ sid: 'VE1', to: US, channel: 'sms', status: 'pending' }, 201)) ?? '',
    /off/,
  );
  const on = started();
  assert.match(on.does(send, problem(404, 20404)) ?? '', /without a reason/);
});

test('an approval ends the other codes of the number, by whichever door', () => {
  const story = started();
  const [one, two] = [story.code('111111'), story.code('222222')];
  const { model } = story;
  assert.equal(story.twilio({ code: '111111' }, approved(`ver_${one}`)), undefined);
  assert.match(story.confirm(two, '222222') ?? '', /ended/);
  story.model = model;
});

test('a wrong code uses up a guess of the newest code that has one', () => {
  const story = started();
  const [one, two] = [story.code('111111'), story.code('222222')];
  for (let i = 0; i < 4; i++) assert.equal(story.twilio({ code: '0000' }, pending('any')), undefined);
  assert.match(story.twilio({ code: '222222' }, approved(`ver_${two}`)) ?? '', /wrong code/);
  const again = started();
  again.code('111111');
  again.code('222222');
  for (let i = 0; i < 4; i++) again.twilio({ code: '0000' }, pending('any'));
  assert.equal(again.confirm(two, '222222', refused(403, 'attempts-exhausted')), undefined);
  assert.equal(again.confirm(one, '111111'), undefined);
});

test('only what is pending can be read, masked for keys that did not ask for it', () => {
  const story = started();
  story.does({ do: 'make-key', account: 'a', name: 'k1', test: false, customCodes: false });
  story.wait(2000);
  const send = { do: 'twilio-send', key: 'a-live', to: US, channel: 'sms' } as const;
  story.does(send, done({ sid: 'VE1', to: US, channel: 'sms', status: 'pending' }, 201));
  const id = story.n;
  const read = (key: string, to: string) =>
    story.does({ do: 'twilio-fetch', key, id }, done({ sid: 'VE1', to, channel: 'sms', status: 'pending' }));
  assert.equal(read('a-live', US), undefined);
  assert.equal(read('k1', '+1••••••••01'), undefined);
  const { model } = story;
  story.model = model.copy();
  assert.match(read('k1', US) ?? '', /was shown/);
  story.model = model.copy();
  const update = { do: 'twilio-update', key: 'a-live', id } as const;
  assert.match(
    story.does({ ...update, status: 'approved' }, done({ status: 'approved', to: US })) ?? '',
    /without it/,
  );
  story.model = model;
  assert.equal(story.does({ ...update, status: 'approved' }, problem(403, 60204)), undefined);
  assert.equal(
    story.does({ ...update, status: 'canceled' }, done({ status: 'canceled', to: US })),
    undefined,
  );
  assert.match(read('a-live', US) ?? '', /over, unknown/);
});
