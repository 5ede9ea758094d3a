import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../command.ts';
import { done, invalid, refused, Story, US } from './story.ts';

const hook = (system: string, more: { once?: string; odd?: 'forged'; code?: string } = {}) =>
  ({ do: 'hook', system, to: US, code: '482913', ...more }) as const;

test('each system is told in its own words, and what they may stand for needs a reason', () => {
  const story = new Story();
  const inWords = [
    ['supabase', done({ error: { http_code: 400, message: 'no' } })],
    ['authgear', { ...done({ code: 'invalid_phone_number' }), status: 400 }],
    ['authentik', { ...done({}), status: 400, body: 'To: no' }],
    ['kratos', invalid('to', 'do_not_send')],
  ] as const;
  for (const [system, answer] of inWords)
    assert.match(story.does(hook(system), answer) ?? '', /without a reason/, system);
  story.does({ do: 'block', account: 'a', what: US });
  for (const [system, answer] of inWords) assert.equal(story.does(hook(system), answer), undefined, system);
  assert.match(story.does(hook('authgear'), done({ code: 'ok' })) ?? '', /do_not_send/);
});

test('who is not the system is refused as forged', () => {
  const story = new Story();
  assert.match(story.does(hook('zitadel', { odd: 'forged' }), done({ id: 'ver_a' })) ?? '', /not the system/);
  assert.equal(story.does(hook('zitadel', { odd: 'forged' }), refused(401, 'forged-hook')), undefined);
});

test('of a system that names its messages the name is what is repeated, for a day', () => {
  const story = new Story();
  const clerk = (once: string, id: string) => story.does(hook('clerk', { once }), done({ id }));
  assert.equal(clerk('msg_1', 'ver_a'), undefined);
  story.wait(40_000);
  assert.equal(clerk('msg_1', 'ver_a'), undefined);
  assert.equal(clerk('msg_2', 'ver_b'), undefined);
});

test('after an erasure, whom nothing is told may have asked anew', () => {
  const twice = (meanwhile?: Command) => {
    const story = new Story();
    const asks = () => story.does(hook('authgear'), done({ code: 'ok' })) ?? story.sent('482913');
    assert.equal(asks(), undefined);
    if (meanwhile !== undefined) story.does(meanwhile);
    return asks();
  };
  assert.match(twice() ?? '', /sent twice/);
  assert.equal(twice({ do: 'erase', number: US }), undefined);
});
