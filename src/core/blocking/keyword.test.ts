import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WORDINGS } from '../message/locales.ts';
import { fold, readKeyword } from './keyword.ts';
import { KEYWORDS } from './keywords.ts';

test('a keyword is known in every language of the messages', () => {
  assert.deepEqual(Object.keys(KEYWORDS).sort(), [...WORDINGS.keys()].sort());
  for (const [locale, { stop, start }] of Object.entries(KEYWORDS)) {
    for (const word of stop) assert.equal(readKeyword(word), 'stop', `${locale}: ${word}`);
    for (const word of start) assert.equal(readKeyword(word), 'start', `${locale}: ${word}`);
    assert.ok(stop.length > 0 && start.length > 0, locale);
  }
});

test('no word means both', () => {
  const words = (kind: 'stop' | 'start') =>
    new Set(Object.values(KEYWORDS).flatMap((each) => each[kind].map(fold)));
  assert.deepEqual([...words('stop').intersection(words('start'))], []);
});

test('case, accents, blanks and punctuation do not matter', () => {
  for (const text of [
    'stop',
    ' Stop. ',
    '"STOP"',
    'STOP!!!',
    'stop\n',
    'Ｓｔｏｐ',
    'stop 🙏',
    'stop ✋\ufe0f',
    '\u2068st\u00adop\u2069\u200b',
    'opt-out',
    'arret',
  ])
    assert.equal(readKeyword(text), 'stop', text);
  for (const text of ['arrêt', 'İptal', 'iptal', 'dừng', 'dung', 'قف تو', 'стоп', 'الغاء'])
    assert.equal(readKeyword(text), text === 'قف تو' ? undefined : 'stop', text);
  for (const text of ['start', 'Bắt đầu', 'bat dau', 'başla', 'Baslat'])
    assert.equal(readKeyword(text), 'start', text);
});

test('a message that says more says something else', () => {
  for (const text of [
    '',
    ' ',
    '!',
    'stop by tomorrow',
    'do not stop',
    'nonstop',
    'yes',
    `stop${' '.repeat(100)}`,
  ])
    assert.equal(readKeyword(text), undefined, text);
});
