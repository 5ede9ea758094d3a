import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentenceOf } from './sentence.ts';

type Entry = readonly [who: string, action: string, subject: string, detail?: string];

const said = ([who, action, subject, detail = '']: Entry) => {
  const { before, after, more, ...sentence } = sentenceOf({ who, action, subject, detail });
  return [`${sentence.who} ${before}${sentence.subject}${after}`, more];
};

test('an entry reads as a sentence, and nothing of it is left out', () => {
  for (const [entry, sentence, more] of [
    [
      ['Ada', 'key.changed', 'Shop 306 (ck_live_x)', 'name: web'],
      'Ada changed the key Shop 306 (ck_live_x)',
      'name: web',
    ],
    [['Ada', 'number.blocked', '3 numbers'], 'Ada added 3 numbers to the do-not-send list', ''],
    [['Ada', 'session.began', 'ada@example.com', 'passkey'], 'Ada signed in', 'ada@example.com · passkey'],
    [
      ['command line', 'member.invited', 'b@example.com', 'as owner'],
      'The command line invited b@example.com',
      'as owner',
    ],
    [
      ['somebody', 'password.refused', 'b@example.com', '4 times'],
      'Somebody gave a wrong password for b@example.com',
      '4 times',
    ],
    [['Ada', 'guard.denied', 'the country BR', 'pumped'], 'Ada denied Brazil in the guard', 'pumped'],
    [['Ada', 'constructor', 'it'], 'Ada did constructor: it', ''],
  ] as const)
    assert.deepEqual(said(entry), [sentence, more]);
});
