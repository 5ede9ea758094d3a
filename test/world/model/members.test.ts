import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, refused, Story, US } from './story.ts';
import { HOUR, MINUTE } from './table.ts';

const signIn = (by: string) => ({ do: 'sign-in', by }) as const;
const block = (by: string, account = 'a') => ({ do: 'block', by, account, what: US }) as const;
const demote = (by: string, who: string) =>
  ({ do: 'member', by, account: 'a', who, role: 'viewer' }) as const;
const forbidden = refused(403, 'forbidden');

function signedIn(...names: string[]): Story {
  const story = new Story();
  for (const name of names) story.does(signIn(name));
  return story;
}

test('who is not signed in does nothing, and a session ends by itself', () => {
  const story = new Story();
  assert.match(story.does(block('ann')) ?? '', /not signed in/);
  assert.equal(story.does(block('ann'), refused(401, 'not-signed-in')), undefined);
  story.does(signIn('ann'));
  story.wait(11 * HOUR);
  assert.match(story.does(block('ann'), refused(401, 'not-signed-in')) ?? '', /was signed in/);
  assert.equal(story.does(block('ann')), undefined);
  story.wait(13 * HOUR);
  assert.match(story.does(block('ann')) ?? '', /not signed in/);
});

test('each role does what is its own, in its accounts only', () => {
  const story = signedIn('dan', 'vic', 'bob');
  assert.match(story.does(block('vic')) ?? '', /viewer of a, did block/);
  assert.match(story.does(block('dan'), forbidden) ?? '', /developer of a, was forbidden/);
  assert.match(story.does(block('bob')) ?? '', /no member of a/);
  assert.match(story.does(block('bob'), forbidden) ?? '', /instead of 404/);
  assert.equal(story.does(block('bob'), refused(404, 'not-found')), undefined);
  assert.equal(story.does(block('dan')), undefined);
  const rotate = { do: 'rotate-key', by: 'dan', key: 'a-live', name: 'k1', overlap: 0 } as const;
  assert.match(story.does(rotate) ?? '', /developer of a, did rotate-key/);
});

test('a member who was demoted is refused from then on', () => {
  const story = signedIn('ann', 'dan');
  assert.equal(story.does(demote('ann', 'dan')), undefined);
  assert.match(story.does(block('dan')) ?? '', /viewer of a/);
  assert.equal(story.does(block('dan'), forbidden), undefined);
});

test('an account keeps its last owner', () => {
  const story = signedIn('ann', 'ida');
  assert.equal(story.does(demote('ann', 'ida')), undefined);
  assert.match(story.does(demote('ann', 'ann')) ?? '', /to be refused/);
  assert.equal(story.does(demote('ann', 'ann'), refused(409, 'conflict')), undefined);
});

test('what needs a fresh proof is refused without', () => {
  const story = signedIn('ann');
  const settings = { do: 'settings', by: 'ann', account: 'a', twilio: true, countries: [] } as const;
  assert.match(story.does(settings, refused(403, 'proof-needed')) ?? '', /needed a proof/);
  story.wait(11 * MINUTE);
  assert.match(story.does(settings) ?? '', /without a fresh proof/);
  assert.equal(story.does(settings, refused(403, 'proof-needed')), undefined);
  assert.equal(story.does(block('ann')), undefined);
});

test('a list has what is of its account, all of it and nothing else', () => {
  const story = signedIn('vic');
  const n = story.code('111111');
  const list = (account: string) => ({ do: 'list', by: 'vic', account, what: 'verifications' }) as const;
  const page = (...ids: string[]) =>
    done({ verifications: ids.map((id) => ({ id, destination: '+1••••••••01' })) });
  assert.equal(story.does(list('a'), page(`ver_${n}`)), undefined);
  assert.match(story.does(list('a'), page()) ?? '', /is not in the list/);
  assert.match(story.does(list('b'), page(`ver_${n}`)) ?? '', /b was shown ver_/);
  const full = done({ verifications: [{ id: `ver_${n}`, destination: US }] });
  assert.match(story.does(list('a'), full) ?? '', /was shown \+1/);
});

test('a full number is for owners of its account', () => {
  const story = signedIn('ann');
  const id = story.code('111111');
  const reveal = (account: string) => ({ do: 'reveal', by: 'ann', account, id }) as const;
  assert.equal(story.does(reveal('a'), done({ destination: US })), undefined);
  assert.match(story.does(reveal('a'), refused(404, 'not-found')) ?? '', /was not found/);
  assert.match(story.does(reveal('b'), done({ destination: US })) ?? '', /viewer of b/);
});

test('who shows again who they are may do more for ten minutes, and their session ends as before', () => {
  const story = signedIn('ann');
  const settings = { do: 'settings', by: 'ann', account: 'a', twilio: true, countries: [] } as const;
  story.wait(HOUR);
  assert.match(story.does(settings) ?? '', /without a fresh proof/);
  assert.equal(story.does({ do: 'prove', by: 'ann' }), undefined);
  assert.equal(story.does(settings), undefined);
  for (let days = 0; days < 6; days += 0.5) {
    story.wait(11 * HOUR);
    assert.equal(story.does({ do: 'prove', by: 'ann' }), undefined);
  }
  for (let days = 0; days < 1.5; days += 0.5) {
    story.wait(11 * HOUR);
    story.does({ do: 'list', by: 'ann', account: 'a', what: 'members' }, refused(503, 'unavailable'));
  }
  assert.match(story.does({ do: 'prove', by: 'ann' }) ?? '', /was not signed in/);
});
