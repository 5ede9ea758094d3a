import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRange, findSpoken, findWritten } from './language-range.ts';
import { WORDINGS } from './locales.ts';

const BUILT_IN = [...WORDINGS.keys()];

test('each tag gets the built-in language that its speakers read', () => {
  for (const [tags, language] of [
    ['zh zh-CN zh-SG zh-Hans zh-Hans-HK cmn cmn-CN zh-Latn yue-CN', 'zh-Hans'],
    ['zh-TW zh-HK zh-MO zh-Hant zh-Hant-CN zh-TW-u-co-stroke-x-a cmn-TW yue yue-HK', 'zh-Hant'],
    ['no no-NO nn nn-NO nb nb-NO nb-SJ nor', 'nb'],
    ['sr sr-RS sr-BA sr-ME sr-Cyrl sr-Cyrl-RS sr-Latn sr-Latn-ME sh', 'sr-Latn'],
    ['pt pt-PT pt-AO pt-MZ', 'pt'],
    ['pt-BR pt-BR-u-hc-h12', 'pt-BR'],
    ['de de-AT de-CH-1996 de-x-formal', 'de'],
    ['iw he-IL', 'he'],
    ['tl fil-PH', 'fil'],
    ['es es-419 es-MX', 'es'],
    ['hi hi-Latn', 'hi'],
  ] as const) {
    for (const tag of tags.split(' ')) {
      assert.equal(findWritten(tag, BUILT_IN), language, tag);
    }
  }
  for (const tag of ['und', 'und-US', 'und-Latn', 'haw', 'tlh', 'yua', '', '-', 'x-de', 'no such tag'])
    assert.equal(findWritten(tag, BUILT_IN), undefined, tag);
});

test('a tag that is there is taken as it is, and of others the one that says most and nothing wrong', () => {
  for (const [tag, tags, expected] of [
    ['zh-TW', 'zh zh-Hant zh-TW', 'zh-TW'],
    ['zh-TW', 'zh zh-Hans zh-Hant', 'zh-Hant'],
    ['zh-Hant-HK', 'zh-TW zh-HK', 'zh-HK'],
    ['zh-Hant', 'zh-CN zh-HK zh-TW', 'zh-TW'],
    ['zh', 'zh-TW zh-CN', 'zh-CN'],
    ['sr', 'sr-Latn sr-Cyrl', 'sr-Cyrl'],
    ['sr-Cyrl-BA', 'sr-Latn sr', 'sr'],
    ['pt', 'pt-BR pt-PT', 'pt-PT'],
    ['pt-AO', 'pt-BR pt', 'pt'],
    ['pt-PT', 'en pt-BR', 'pt-BR'],
    ['no', 'nn nb', 'nb'],
    ['nb', 'nn no', 'no'],
    ['nn', 'nb nn-NO', 'nn-NO'],
    ['yue', 'zh-Hans zh-Hant yue-CN', 'yue-CN'],
    ['de-AT', 'de-x-formal de', 'de'],
    ['ca-ES', 'ca-valencia ca', 'ca'],
    ['ca-ES-valencia', 'ca ca-valencia', 'ca-valencia'],
    ['es-CL', 'en es-MX es-ES', 'es-MX'],
  ] as const) {
    assert.equal(findWritten(tag, tags.split(' ')), expected, `${tag} of ${tags}`);
  }
});

test('what one voice reads out is in one script, and a range names no other region', () => {
  assert.equal(findSpoken('pt', ['pt-BR']), 'pt-BR');
  assert.equal(findSpoken('nn', ['nb']), 'nb');
  assert.equal(findSpoken('zh-HK', ['zh-Hans', 'zh-Hant']), 'zh-Hant');
  for (const [tag, tags] of [
    ['sr', ['sr-Latn']],
    ['zh-Hant', ['zh-Hans']],
    ['yue', ['zh-Hant']],
  ] as const)
    assert.equal(findSpoken(tag, tags), undefined, tag);
  assert.equal(findRange('zh-HK', ['zh-Hant']), 'zh-Hant');
  assert.equal(findRange('pt', ['pt-BR']), undefined);
});
