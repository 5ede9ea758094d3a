import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DE, done, Story, US } from './story.ts';

test('a copy has all of its number, whose accounts are meant, and nothing else', () => {
  const story = new Story();
  const [n, other] = [story.code('111111'), story.code('222222', { key: 'b-live' })];
  story.code('333333', { to: DE });
  const copy = (account?: string) => ({ do: 'copy', number: US, ...(account && { account }) }) as const;
  const of = (...ids: number[]) =>
    done({ verifications: ids.map((id) => ({ id: `ver_${id}`, destination: US })), do_not_send: [] });
  assert.equal(story.does(copy(), of(n, other)), undefined);
  assert.match(story.does(copy(), of(n)) ?? '', /is not in the copy/);
  assert.equal(story.does(copy('a'), of(n)), undefined);
  assert.match(story.does(copy('a'), of(n, other)) ?? '', /of another number or account/);
  story.does({ do: 'block', account: 'a', what: US });
  assert.match(story.does(copy('a'), of(n)) ?? '', /told wrongly/);
  story.does({ do: 'erase', number: US, account: 'a', lists: true });
  assert.match(story.does(copy(), of(n, other)) ?? '', /or erased/);
  assert.equal(story.does(copy(), of(other)), undefined);
});

test('an export has what is on each list, once, and nothing else', () => {
  const story = new Story();
  const lists = (...entries: object[]) => story.does({ do: 'export' }, done(entries));
  story.does({ do: 'block', account: 'a', what: US });
  story.does({ do: 'block', account: 'b', what: '+1415' });
  const [number, range] = [
    { account: 'a', what: US },
    { account: 'b', what: '+1415' },
  ];
  assert.equal(lists(range, number), undefined);
  assert.match(lists(number) ?? '', /wrong about b \+1415/);
  assert.match(lists(number, range, { account: 'b', what: US }) ?? '', /nobody listed it/);
  assert.match(lists(number, range, range) ?? '', /twice/);
  story.does({ do: 'unblock', account: 'b', what: '+1415' });
  assert.equal(lists(number), undefined);
});
