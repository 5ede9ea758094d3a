import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Told } from './state.ts';
import { Story } from './story.ts';

const told = (story: Story, type: string, more: Partial<Told> = {}, data: object = {}): Told => {
  const body = {
    channel: 'sms',
    destination: '+1••••••••01',
    country: 'US',
    test: false,
    carrier: null,
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
    ['verification.requested', 'delivery.accepted'],
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
  assert.match(says(['verification.requested', {}, { destination: '+14155550101' }]), /another number/);
  assert.match(says(['verification.requested'], ['verification.requested', { id: 'other' }]), /two ids/);
  assert.equal(says(['verification.requested', { took: false }], ['verification.requested']), '');
});
