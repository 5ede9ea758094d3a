import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, refused, Story, US } from './story.ts';
import { MINUTE } from './table.ts';

type Shown = Readonly<Record<string, unknown>>;
const FIRST = [
  'key.created a-live (x)',
  'key.created a-test (x)',
  'webhook.added whk_1',
  'guard.allowed the',
];

/** Somebody blocks a number, and the log of the account is looked at. */
function shows(more: readonly Shown[], answer = done({}), seqs?: readonly number[]): string | undefined {
  const story = new Story();
  for (const by of ['ann', 'dan']) story.does({ do: 'sign-in', by });
  story.wait(2 * MINUTE);
  story.does({ do: 'block', by: 'dan', account: 'a', what: US }, answer);
  const at = new Date(story.at).toISOString();
  const first = FIRST.map((it): Shown => {
    const [action, ...subject] = it.split(' ');
    return { action, subject: subject.join(' '), who: 'command line', address: null };
  });
  const entries = [...first, ...more].map((it, i) => ({ detail: '', at, seq: seqs?.[i] ?? i + 1, ...it }));
  return story.does(
    { do: 'list', by: 'ann', account: 'a', what: 'audit' },
    done({ entries: entries.toReversed(), next: null }),
  );
}
const ENTRY = {
  action: 'number.blocked',
  subject: 'a number',
  who: 'dan (dan@example.com)',
  address: '198.51.100.7',
};

test('what a member did is in the log, by whom and from where, and nothing else', () => {
  assert.equal(shows([ENTRY]), undefined);
  assert.match(shows([]) ?? '', /number\. {2}by dan \(dan@example\.com\) is not in the audit log/);
  for (const more of [{ who: 'ann (ann@example.com)' }, { address: null }, { action: 'range.blocked' }])
    assert.match(shows([{ ...ENTRY, ...more }]) ?? '', /what nobody did/);
  assert.match(
    shows([ENTRY, { ...ENTRY, action: 'key.revoked', subject: 'b-live (x)' }]) ?? '',
    /nobody did/,
  );
  assert.match(shows([{ ...ENTRY, at: '2026-11-20T12:00:00.000Z' }]) ?? '', /nobody did|newest/);
});

test('what was refused is not in it, and what is unknown may be', () => {
  const conflict = refused(409, 'conflict');
  assert.match(shows([ENTRY], conflict) ?? '', /nobody did|refused without/);
  const unknown = refused(503, 'outcome-unknown');
  assert.equal(shows([ENTRY], unknown), undefined);
  assert.equal(shows([], unknown), undefined);
});

test('its entries are numbered without a gap', () => {
  assert.match(shows([ENTRY], done({}), [1, 2, 3, 4, 6]) ?? '', /has the numbers 6,4,3,2,1/);
});
