import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../command.ts';
import type { Answer } from '../happening.ts';
import { done, problem, refused, Story, US } from './story.ts';
import { DAY, masked } from './table.ts';

const unknown = refused(404, 'verification-not-found');
const given = (id: number, verdict: string) => done({ id: `ver_${id}`, verdict });

function say(story: Story, id: number, verdict: 'fraud' | 'good', answer: Answer, key = 'a-live') {
  return story.does({ do: 'feedback', key, id, verdict }, answer);
}
/** Opens the page of a verification, which shows this verdict. */
function page(story: Story, id: number, verdict: object | null) {
  const verification = { id: `ver_${id}`, channel: 'sms', destination: masked(US) };
  return story.does({ do: 'open', by: 'ann', account: 'a', id }, done({ verification, verdict }));
}
const signIn: Command = { do: 'sign-in', by: 'ann' };

test('a verdict is said by keys of the account and kind, and is shown with its time', () => {
  const story = new Story();
  const id = story.code('111111');
  assert.match(say(story, id, 'fraud', given(id, 'fraud'), 'a-test') ?? '', /another’s/);
  assert.equal(say(story, id, 'fraud', unknown, 'b-live'), undefined);
  assert.match(say(story, id, 'fraud', unknown) ?? '', /was not found/);
  assert.match(say(story, id, 'fraud', given(id, 'good')) ?? '', /not repeated/);
  assert.equal(say(story, id, 'fraud', given(id, 'fraud')), undefined);
  const at = new Date(story.at).toISOString();
  story.wait(1000);
  assert.equal(say(story, id, 'fraud', given(id, 'fraud')), undefined);
  story.does(signIn);
  assert.match(page(story, id, null) ?? '', /fraud was said, and undefined is shown/);
  assert.match(page(story, id, { verdict: 'fraud', at: new Date(story.at).toISOString() }) ?? '', /time/);
  assert.equal(page(story, id, { verdict: 'fraud', at }), undefined);
});

test('what is older than seven days, or erased, has no verdict', () => {
  const story = new Story({ retention: { verifications: 30 * DAY, events: 4 * DAY } });
  const id = story.code('111111');
  story.wait(7 * DAY);
  assert.match(say(story, id, 'good', given(id, 'good')) ?? '', /an old one/);
  assert.equal(say(story, id, 'good', unknown), undefined);
  const other = story.code('222222');
  story.does({ do: 'erase', number: US });
  assert.match(say(story, other, 'good', given(other, 'good')) ?? '', /erased/);
});

test('feedback of a message says that it was good, or takes back what was said', () => {
  const story = new Story();
  story.turnsOn();
  const id = story.code('111111');
  const told = (outcome: string) => done({ message_sid: `SM${id}`, outcome }, 201);
  const tell = (answer: Answer, outcome?: 'confirmed' | 'unconfirmed') =>
    story.does({ do: 'twilio-feedback', key: 'a-live', id, sid: 'SM', ...(outcome && { outcome }) }, answer);
  assert.match(tell(problem(404, 20404)) ?? '', /was not found/);
  assert.equal(tell(told('confirmed')), undefined);
  const at = new Date(story.at).toISOString();
  story.does(signIn);
  assert.equal(page(story, id, { verdict: 'good', at }), undefined);
  assert.equal(tell(told('unconfirmed'), 'unconfirmed'), undefined);
  assert.equal(page(story, id, null), undefined);
});

test('of a verdict that nobody heard of, both pasts are possible', () => {
  const story = new Story();
  const id = story.code('111111');
  assert.equal(say(story, id, 'fraud', refused(503, 'outcome-unknown')), undefined);
  story.does(signIn);
  const at = new Date(story.at).toISOString();
  assert.equal(page(story, id, { verdict: 'fraud', at }), undefined);
  assert.match(page(story, id, null) ?? '', /fraud was said/);
});
