import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../happening.ts';
import type { Lookup, Questioned, Refuse } from '../lookup.ts';
import { done, refused, Story, US } from './story.ts';
import { MINUTE, SECOND } from './table.ts';

const INSIGHT: Lookup = { name: 'insight', tells: ['lineType', 'swapped'], price: 0.1, remember: MINUTE };
const guarded = refused(429, 'guarded', {}, { 'retry-after': '60' });

/** An account that refuses this, over one look-up. */
function storyOf(refuse: Refuse = { types: ['voip'] }, more: Partial<Lookup> = {}, live = {}): Story {
  const story = new Story({ lookups: [{ ...INSIGHT, ...more }] }, live);
  story.does({ do: 'settings', account: 'a', twilio: true, countries: [], refuse });
  story.wait(2 * SECOND);
  return story;
}
function asked(story: Story, more: Partial<Questioned> = {}): string | undefined {
  const question = { lookup: 'insight', process: 'p', number: US, hours: '', ported: '', since: '' };
  return story.model.judge({
    ...{ kind: 'questioned', at: story.at, ...question, did: 'answers', said: { lineType: 'mobile' } },
    ...more,
  });
}
const voip = (story: Story) => asked(story, { said: { lineType: 'voip' } });
const verify = (story: Story, answer?: Answer, to = US) => story.verify({ to }, answer);

test('nobody gets a code about whom nobody was asked, or of whom a look-up says what is refused', () => {
  const story = storyOf();
  assert.match(verify(story) ?? '', /insight was not asked/);
  voip(story);
  assert.match(verify(story) ?? '', /which a refuses by what insight said/);
  assert.equal(verify(story, guarded), undefined);
  story.wait(SECOND);
  assert.match(verify(story) ?? '', /which a refuses/); // it is remembered
  assert.equal(verify(story, guarded), undefined);
});

test('a number of which nothing bad is said gets its code, and is not refused', () => {
  const story = storyOf();
  asked(story);
  assert.match(verify(story, guarded) ?? '', /without a reason/);
  assert.equal(verify(story), undefined);
});

test('nobody is asked twice, for test keys, nor where the account refuses nothing', () => {
  const story = storyOf();
  asked(story);
  verify(story);
  story.wait(SECOND);
  asked(story);
  assert.match(verify(story) ?? '', /asked again/);
  const other = storyOf();
  asked(other);
  other.verify({ key: 'a-test' });
  other.wait(SECOND);
  assert.match(other.model.end() ?? '', /nobody had to know/);
});

test('a question is asked again when what was answered is no longer remembered', () => {
  const story = storyOf();
  asked(story);
  verify(story);
  story.sent('111111');
  story.wait(MINUTE);
  assert.match(verify(story) ?? '', /not asked/);
  voip(story);
  assert.equal(verify(story, guarded), undefined);
});

test('without an answer, one that fails closed sends nothing', () => {
  const story = storyOf({ types: ['voip'] }, { closed: true });
  asked(story, { did: 'fails' });
  assert.match(verify(story) ?? '', /gave no answer, and fails closed/);
  assert.equal(verify(story, refused(503, 'unavailable')), undefined);
  assert.equal(story.model.states[0]?.unanswered.length, 1);
  const open = storyOf();
  asked(open, { did: 'fails' });
  assert.equal(verify(open), undefined);
});

test('a question is paid, and asked only with room for it and for the message', () => {
  const budgets = [{ of: 'account', per: 'day', money: 0.35 }] as const;
  const story = storyOf({ types: ['voip'] }, {}, { budgets });
  voip(story);
  assert.equal(verify(story, guarded), undefined);
  asked(story, { number: '+14155550102' });
  assert.equal(verify(story, undefined, '+14155550102'), undefined);
  const full = storyOf({ types: ['voip'] }, {}, { budgets: [{ ...budgets[0], money: 0.2 }] });
  asked(full);
  assert.match(verify(full) ?? '', /has no room for that and the message/);
});

test('who confirmed a number is asked since when, and of nobody else', () => {
  const story = storyOf({ recycled: true }, { tells: ['recycled'] });
  assert.equal(verify(story), undefined);
  story.sent('111111');
  assert.equal(story.confirm(story.n, '111111'), undefined);
  const since = new Date(story.at).toISOString().slice(0, 10);
  story.wait(SECOND);
  assert.match(verify(story) ?? '', /not asked/);
  asked(story, { since, said: { recycled: true } });
  assert.equal(verify(story, guarded), undefined);
});

test('one that failed five times is left alone', () => {
  const story = storyOf();
  const numbers = ['+14155550177', '+14155550101', '+14155550102', '+14165550101', '+33612345678'];
  for (const number of numbers) {
    asked(story, { number, did: 'fails' });
    assert.equal(
      verify(story, done({ id: `ver_${story.n + 1}`, destination: number, channel: 'sms' }), number),
      undefined,
    );
    story.wait(10);
  }
  assert.equal(verify(story, undefined, '+4915112345678'), undefined);
  asked(story, { number: '+4915112345679' });
  assert.match(verify(story, undefined, '+4915112345679') ?? '', /it is away/);
});
