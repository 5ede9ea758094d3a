import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DE, Story, US } from './story.ts';
import { MINUTE } from './table.ts';

test('a code that a carrier took is not sent again, one whose answer was lost may be', () => {
  const story = new Story();
  story.verify({ code: '111111' });
  assert.equal(story.sent('111111', { did: 'answer lost' }), undefined);
  assert.equal(story.sent('111111'), undefined);
  const { model } = story;
  story.model = model.copy();
  assert.match(story.sent('111111', { carrier: 'two' }) ?? '', /sent twice/);
  model.judge({
    kind: 'reported',
    at: story.at,
    carrier: 'one',
    reference: 'r-111111',
    status: 'undelivered',
    taken: 'yes',
  });
  story.model = model;
  assert.equal(story.sent('111111', { carrier: 'two' }), undefined);
});

test('a carrier that refused for good is not asked again, nor one that no route names', () => {
  const story = new Story();
  story.verify({ code: '111111' });
  story.sent('111111', { did: 'refused' });
  const { model } = story;
  story.model = model.copy();
  assert.match(story.sent('111111') ?? '', /asked again/);
  story.model = model;
  assert.match(story.sent('111111', { ...lost, carrier: 'three' }) ?? '', /no route names/);
});
const lost = { channel: 'sms', to: US, code: '111111', did: 'failed for now', reference: 'x' } as const;

test('a message that nobody asked for is wrong, once no answer can explain it', () => {
  const story = new Story();
  story.model.judge({ kind: 'sent', at: story.at, ...lost, carrier: 'one' });
  assert.match(story.model.copy().end() ?? '', /nobody’s code/);
  story.wait(1);
  assert.match(story.verify({ to: DE }) ?? '', /nobody’s code/);
});

test('after its end, a cancellation or an erasure a code is sent no more', () => {
  const story = new Story();
  story.code('111111');
  story.does({ do: 'erase', number: US });
  story.wait(6000);
  assert.match(story.sent('111111', { did: 'failed for now' }) ?? '', /erased/);
  const late = new Story();
  late.verify({ code: '222222' });
  late.sent('222222', { did: 'hung' });
  late.wait(11 * MINUTE);
  assert.match(late.sent('222222') ?? '', /expired/);
});

test('what is promised is owed until a carrier took it or all refused it', () => {
  const story = new Story();
  story.verify({ code: '111111' });
  assert.equal(story.model.owed(story.at + 1000).length, 1);
  story.sent('111111', { did: 'refused' });
  assert.equal(story.model.owed(story.at + 1000).length, 1);
  story.sent('111111', { did: 'refused', carrier: 'two' });
  assert.equal(story.model.owed(story.at + 1000).length, 0);
});
