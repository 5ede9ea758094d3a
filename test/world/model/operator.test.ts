import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DE, done, invalid, problem, refused, Story, US } from './story.ts';

const stopped = invalid('destination', 'do_not_send');

test('STOP counts for the account whose message the carrier took last', () => {
  const story = new Story();
  story.code('111111');
  story.code('222222', { key: 'b-live' });
  story.wait(5000);
  assert.equal(story.does({ do: 'keyword', from: US, carrier: 'one', word: 'STOP' }), undefined);
  const { model } = story;
  story.model = model.copy();
  assert.match(story.verify({ key: 'b-live' }) ?? '', /do_not_send/);
  story.model = model.copy();
  assert.match(story.verify({}, stopped) ?? '', /without a reason/);
  story.model = model;
  assert.equal(story.verify({ key: 'b-live' }, stopped), undefined);
  story.does({ do: 'keyword', from: US, carrier: 'one', word: 'START' });
  assert.equal(story.verify({ key: 'b-live' }), undefined);
});

test('STOP counts for nobody surely while it is not known whose message came', () => {
  const story = new Story();
  story.code('111111');
  const ask = { do: 'verify', key: 'b-live', to: US, channel: 'sms' } as const;
  for (let n = 0; n < 2; n++) story.does(ask, done({ id: `ver_b${n}`, destination: US, channel: 'sms' }));
  story.sent('222222');
  story.sent('333333');
  story.wait(5000);
  story.does({ do: 'keyword', from: US, carrier: 'one', word: 'STOP' });
  assert.equal(story.does({ do: 'unblock', account: 'a', what: US }, problem(409, 0)), undefined);
});

test('a range takes effect within a second, a number at once', () => {
  const story = new Story();
  story.does({ do: 'block', account: 'a', what: '+4915' });
  const { model } = story;
  story.model = model.copy();
  assert.equal(story.verify({ to: DE }), undefined);
  story.model = model;
  story.wait(2000);
  assert.match(
    story.model
      .copy()
      .judge(story.happening({ do: 'verify', key: 'a-live', to: DE, channel: 'sms' }, done({}))) ?? '',
    /do_not_send/,
  );
  story.does({ do: 'block', account: 'a', what: US });
  assert.match(story.verify() ?? '', /do_not_send/);
});

test('restrictions of a key, its rotation and its end', () => {
  const story = new Story();
  story.does({ do: 'bound-key', key: 'a-live', channels: ['voice'], countries: ['US'] });
  story.does({ do: 'rotate-key', key: 'a-live', name: 'k1', overlap: 0 });
  story.wait(2000);
  assert.equal(story.verify({}, refused(401, 'invalid-key')), undefined);
  assert.equal(story.verify({ key: 'k1' }, invalid('channel', 'channel_not_allowed')), undefined);
  assert.match(story.verify({ key: 'k1' }) ?? '', /channel_not_allowed/);
  const bound = { do: 'bound-key', key: 'a-live', channels: [], countries: [] } as const;
  assert.match(story.does(bound) ?? '', /to be refused/);
  assert.equal(story.does(bound, problem(409, 0)), undefined);
});

test('an operator’s answer that is lost leaves both ways open', () => {
  const story = new Story();
  assert.equal(story.does({ do: 'revoke-key', key: 'a-live' }, refused(503, 'outcome-unknown')), undefined);
  story.wait(2000);
  assert.equal(story.verify({}, refused(401, 'invalid-key')), undefined);
  assert.match(story.verify() ?? '', /revoked/);
});
