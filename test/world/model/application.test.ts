import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../happening.ts';
import { done, mismatch, Story, US } from './story.ts';
import { MINUTE } from './table.ts';

const NOT_ASKED: Answer = { status: 0, body: null, headers: {} };
const expired = { status: 410, body: { ok: false, reason: 'expired' } };
const check = { do: 'app-check', key: 'a-live', browser: 'x', code: '111111' } as const;

/** A browser was sent a code. */
function started(): Story {
  const story = new Story();
  const page = { status: 200, body: { ok: true, channel: 'sms', resendAfter: 30 } };
  const answer = { ...done({ id: 'ver_1', destination: US, channel: 'sms' }), page };
  const start = { do: 'app-start', key: 'a-live', browser: 'x', to: US, channel: 'sms' } as const;
  assert.equal(story.does(start, answer), undefined);
  assert.equal(story.sent('111111'), undefined);
  return story;
}

test('a page is told no more than it has to know', () => {
  const page = (reason: string, more: object = {}) => ({ status: 403, body: { ok: false, reason, ...more } });
  const wrong = { ...check, code: '100000' };
  const told = page('mismatch', { attemptsRemaining: 2 });
  assert.equal(started().does(wrong, { ...mismatch(2), page: told }), undefined);
  assert.match(started().does(wrong, { ...mismatch(2), page: page('exhausted') }) ?? '', /the page got/);
});

test('only the browser that asked has its code checked, for ten minutes', () => {
  const other = { ...check, browser: 'y' };
  assert.equal(started().does(other, { ...NOT_ASKED, page: expired }), undefined);
  assert.match(started().does(other, mismatch(2)) ?? '', /nobody’s code/);
  assert.match(started().does(check, { ...NOT_ASKED, page: expired }) ?? '', /was not checked/);
  const late = started();
  late.wait(10 * MINUTE + 1_000);
  assert.equal(late.does(check, { ...NOT_ASKED, page: expired }), undefined);
});
