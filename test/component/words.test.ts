/** What the element says: in every language, and for every answer of the handlers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckAnswer, StartAnswer } from '../../client/src/handlers.ts';
import type { Reason } from '../../component/src/ask.ts';
import { complaintOf } from '../../component/src/complaint.ts';
import { formatTime, languageOf, WORDS } from '../../component/src/language.ts';
import { findWritten } from '../../src/core/message/language-range.ts';
import { WORDINGS } from '../../src/core/message/locales.ts';

const PLACEHOLDERS = new Map([
  ['sent', ['{number}']],
  ['sentInApp', ['{app}', '{number}']],
  ['appInstead', ['{app}']],
  ['calling', ['{number}']],
  ['wait', ['{time}']],
  ['againIn', ['{time}']],
  ['callAgainIn', ['{time}']],
]);
/** A numeral does not change what is counted. */
const INVARIANT = ['bn', 'fa', 'tr'];
const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 21, 25];

test('there are twenty languages, all of them such as the service sends messages in', () => {
  assert.equal(WORDS.size, 20);
  const known = [...WORDINGS.keys()];
  assert.deepEqual(
    [...WORDS.keys()].filter((tag) => !known.includes(tag)),
    [],
  );
});

for (const [tag, words] of WORDS) {
  test(`${tag} has all words, with a place for each number`, () => {
    for (const [name, text] of Object.entries(words)) {
      if (typeof text !== 'string') continue;
      assert.deepEqual([...(text.match(/\{\w+\}/g) ?? [])].sort(), PLACEHOLDERS.get(name) ?? [], name);
      assert.ok(text !== '' && text === text.trim(), name);
    }
    const { mismatch } = words;
    for (const n of NUMBERS) {
      const text = complaintOf('code', mismatched(n), languageOf([tag]));
      assert.doesNotMatch(text, /[{}]/);
      const form = new Intl.PluralRules(tag).select(n);
      // A form of its own may name the number in words: Arabic has one for two.
      const says = text.includes(new Intl.NumberFormat(tag).format(n)) || (form !== 'other' && n < 3);
      assert.ok(says, text);
      // `other` is what there is most of.
      const isOther = form === 'other' || form === 'many' || INVARIANT.includes(tag);
      assert.ok(isOther || mismatch[form] !== undefined, `${tag} has no words for ${form}`);
    }
  });
}

const mismatched = (attemptsRemaining: number) =>
  ({ ok: false, reason: 'mismatch', attemptsRemaining }) as const;

type Told = Exclude<StartAnswer | CheckAnswer, { ok: true }>['reason'];

test('every reason of the handlers is in words', () => {
  const reasons: Readonly<Record<Told | Reason, string>> = {
    invalid: 'Enter the code you received.',
    limited: 'Too many codes requested. Please wait.',
    mismatch: 'Wrong code. 4 attempts left.',
    exhausted: 'Too many wrong codes. Ask for a new one.',
    expired: 'This code is no longer valid. Ask for a new one.',
    forbidden: 'That did not work. Please try again later.',
    unavailable: 'That did not work. Please try again later.',
    offline: 'No connection. Check it and try again.',
  };
  // The annotation keeps the list complete.
  for (const [reason, text] of Object.entries(reasons)) {
    const refused = { ok: false, reason: keyOf(reasons, reason), attemptsRemaining: 4 } as const;
    assert.equal(complaintOf('code', refused, languageOf(['en'])), text);
  }
  const english = (n: number) => complaintOf('code', mismatched(n), languageOf(['en']));
  assert.equal(english(1), 'Wrong code. 1 attempt left.');
  assert.equal(english(0), 'Too many wrong codes. Ask for a new one.');
});

function keyOf<Key extends string>(record: Readonly<Record<Key, string>>, name: string): Key {
  for (const key in record) if (key === name) return key;
  throw new Error(name);
}

test('a refused number is wrong, a landline, or one that cannot be sent to', () => {
  const english = (code?: string) =>
    complaintOf('number', { ok: false, reason: 'invalid', ...(code && { code }) }, languageOf(['en']));
  for (const code of ['not_e164', 'invalid_number', undefined]) assert.match(english(code), /not valid/);
  assert.match(english('landline'), /Landlines/);
  const unreachable = [
    'premium_rate',
    'satellite',
    'country_not_allowed',
    'do_not_send',
    'no_route',
    'later',
  ];
  for (const code of unreachable) assert.match(english(code), /cannot send/);
});

test('a channel that the page may not use is not the fault of the number, or of the code', () => {
  for (const step of ['number', 'code'] as const)
    for (const code of ['not_allowed_value', 'channel_not_allowed'])
      assert.match(
        complaintOf(step, { ok: false, reason: 'invalid', code }, languageOf(['en'])),
        /did not work/,
      );
});

test('the language is the first that there are words for', () => {
  for (const [tags, expected] of [
    [['de-AT'], 'de-AT'],
    [['nl', 'fr-CA'], 'fr-CA'],
    [['nl'], 'en'],
    [['no such tag', 'ja'], 'ja'],
    [[], 'en'],
  ] as const)
    assert.equal(languageOf(tags).tag, expected);
  for (const [tag, script] of [
    ['zh', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh-Hans-HK', 'zh-Hans'],
  ] as const)
    assert.equal(languageOf([tag]).words, WORDS.get(script));
  assert.deepEqual(
    ['ar-EG', 'fa', 'ur', 'hi'].map((tag) => languageOf([tag]).dir),
    ['rtl', 'rtl', 'rtl', 'ltr'],
  );
});

test('the page has the language that the message has, whatever tag both are given', () => {
  const languages = [...WORDS.keys(), 'yue', 'no', 'nn', 'sr', 'und', 'cmn', 'tl', 'in', 'iw', 'haw'];
  const parts = ['', '-Hans', '-Hant', '-Latn', '-Cyrl', '-Arab', '-TW', '-HK', '-CN', '-BR', '-PT', '-419'];
  for (const tag of languages.flatMap((language) => parts.map((part) => `${language}${part}`))) {
    const message = findWritten(tag, WORDINGS.keys()) ?? 'none';
    const known = findWritten(message, WORDS.keys());
    assert.equal(languageOf([tag, 'ko']).words, WORDS.get(known ?? 'ko'), tag);
  }
});

test('a wait is short to read, in the digits of the language', () => {
  assert.equal(formatTime(9, 'en'), '0:09');
  assert.equal(formatTime(75, 'de'), '1:15');
  assert.equal(formatTime(3_700, 'en'), '1:01:40');
  assert.equal(formatTime(65, 'fa'), '۱:۰۵');
});
