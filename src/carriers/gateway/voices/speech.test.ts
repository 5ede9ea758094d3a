import assert from 'node:assert/strict';
import { test } from 'node:test';
import { speak, withChosen } from './speech.ts';

const VOICES = { en: 'Amy', nb: 'Liv', 'pt-BR': 'Ana', 'zh-Hans': 'Zhiyu', 'sr-Latn': 'Sophie' };

test('a voice speaks its language in every region, and no other language and no other script', () => {
  const { speaks } = speak(VOICES, false, () => assert.fail('nothing is sent'));
  for (const locale of ['en-GB', 'nb', 'no', 'nn', 'pt', 'pt-AO', 'zh-CN', 'zh', 'sr-Latn-ME'])
    assert.equal(speaks(locale), 'as-written', locale);
  for (const locale of ['sr', 'zh-Hant', 'zh-TW', 'yue', 'und', 'da', 'toString', ''])
    assert.equal(speaks(locale), 'not-at-all', locale);
});

test('a voice that was chosen for a language speaks it also where the script is named', () => {
  const voices = withChosen(VOICES, { zh: 'Own' }, (name) => name);
  assert.equal(speak(voices, false, () => assert.fail()).speaks('zh-Hant'), 'as-written');
});
