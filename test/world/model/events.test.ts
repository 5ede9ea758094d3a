import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Told } from './state.ts';
import { Story, unsigned } from './story.ts';
import { HOUR, MINUTE } from './table.ts';

const told = (story: Story, type: string, more: Partial<Told> = {}, data: object = {}): Told => {
  const body = {
    channel: 'sms',
    destination: '+1••••••••01',
    country: 'US',
    test: false,
    ...{ carrier: null, reason: null, metadata: null },
    ...data,
  };
  const at = new Date(story.at).toISOString();
  return {
    kind: 'told',
    at: story.at,
    account: 'a',
    id: `msg_${type}`,
    type,
    took: true,
    signed: unsigned(story.at),
    data: { id: 'ver_1', at, ...body },
    ...more,
  };
};

test('what happened is told, and nothing else', () => {
  const story = new Story();
  story.code('111111');
  assert.equal(story.model.end(), undefined);
  assert.deepEqual(
    story.model.untold(story.at).map((it) => it.what),
    ['verification.requested', 'delivery.accepted by one'],
  );
  story.model.judge(told(story, 'verification.requested'));
  story.model.judge(told(story, 'delivery.accepted', {}, { carrier: 'one' }));
  assert.equal(story.model.end(), undefined);
  assert.equal(story.model.untold(story.at).length, 0);
  story.model.judge(told(story, 'verification.confirmed'));
  assert.match(story.model.end() ?? '', /not happened/);
});

test('an account is told of its own codes only, once each, with a masked number', () => {
  const says = (...events: readonly [string, Partial<Told>?, object?][]) => {
    const story = new Story();
    story.code('111111');
    for (const it of events) story.model.judge(told(story, ...it));
    return story.model.end() ?? '';
  };
  assert.match(says(['verification.requested', { account: 'b' }]), /of a verification of a/);
  assert.match(says(['verification.requested', {}, { destination: '+14155550101' }]), /the destination of/);
  assert.match(says(['verification.requested'], ['verification.requested', { id: 'other' }]), /two ids/);
  assert.equal(says(['verification.requested', { took: false }], ['verification.requested']), '');
});

test('each carrier that took a message is told, with its own name and channel', () => {
  const story = new Story();
  story.code('111111');
  story.model.judge({
    ...{ kind: 'reported', at: story.at, carrier: 'one', reference: 'r-111111' },
    ...{ status: 'undelivered', taken: 'yes' },
  });
  story.wait(6000);
  story.sent('111111', { carrier: 'two', reference: 'r-2' });
  const says = (carrier: string, more: object = {}, id = carrier) => {
    story.model.judge(told(story, 'delivery.accepted', { id }, { carrier, ...more }));
    story.wait(1);
    return story.model.copy().end();
  };
  const untold = () => story.model.untold(story.at).map((it) => it.what);
  assert.equal(says('one'), undefined);
  assert.deepEqual(untold(), [
    'verification.requested',
    'delivery.undelivered by one',
    'delivery.accepted by two',
  ]);
  for (const [why, carrier, more, id] of [
    [/not happened/, 'three'],
    [/not happened/, 'two', { channel: 'voice' }],
    [/the reason of/, 'two', { reason: 'busy' }],
    [/the test of/, 'two', { test: true }],
    [/two ids/, 'one', {}, 'other'],
    [/one webhook-id/, 'two', {}, 'one'],
  ] as const) {
    const before = story.model.copy();
    assert.match(says(carrier, more, id) ?? '', why);
    story.model = before;
  }
  assert.equal(says('two'), undefined);
});

test('a confirmation names the carrier whose message was used', () => {
  const says = (carrier: string | null) => {
    const story = new Story();
    const n = story.code('111111');
    story.wait(2000);
    story.confirm(n, '111111');
    story.model.judge(told(story, 'verification.confirmed', {}, { carrier }));
    return story.model.end();
  };
  assert.equal(says('one'), undefined);
  assert.match(says('two') ?? '', /the carrier of/);
  assert.match(says(null) ?? '', /the carrier of/);
});

test('what was taken is told again once somebody had that time told again', () => {
  const story = new Story();
  story.code('111111');
  const asked = told(story, 'verification.requested');
  story.model.judge(asked);
  const untold = () => {
    story.wait(MINUTE);
    story.model.end();
    return story.model.untold(story.at).map((it) => it.what);
  };
  const before = untold();
  const replay = { do: 'replay-webhook', account: 'a', ago: HOUR } as const;
  story.does({ ...replay, all: false });
  assert.deepEqual(untold(), before);
  story.does({ ...replay, all: true });
  assert.deepEqual(untold(), [...before, 'verification.requested again']);
  story.model.judge({ ...asked, at: story.at, signed: unsigned(story.at) });
  assert.deepEqual(untold(), before);
});
