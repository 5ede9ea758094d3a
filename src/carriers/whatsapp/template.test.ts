import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTRY_LOCALES, WORDINGS } from '../../core/message/locales.ts';
import { TEMPLATE_LANGUAGES } from './languages.ts';
import { createLanguageChooser } from './template.ts';

const chooserOf = (language: string, ...languages: string[]) =>
  createLanguageChooser({ template: 'sign_in', language, languages });

test('the version of a language, of its nearest region, or the one for everybody else', () => {
  const choose = chooserOf('en_US', 'de', 'pt_BR', 'zh_CN', 'zh_TW', 'es_MX');
  const chosen = {
    ...{
      de: 'de',
      'de-AT': 'de',
      'pt-BR': 'pt_BR',
      pt: 'pt_BR',
      'pt-PT': 'pt_BR',
      en: 'en_US',
      'en-GB': 'en_US',
    },
    ...{
      'zh-Hans': 'zh_CN',
      'zh-Hant': 'zh_TW',
      'zh-Hant-HK': 'zh_TW',
      es: 'es_MX',
      fr: 'en_US',
      nl: 'en_US',
    },
  };
  assert.deepEqual(Object.fromEntries(Object.keys(chosen).map((locale) => [locale, choose(locale)])), chosen);
});

test('a version is chosen by script, and European Portuguese is that of Portugal', () => {
  const choose = chooserOf('en_US', 'zh_CN', 'zh_HK', 'zh_TW', 'pt_BR', 'pt_PT', 'nb', 'prs_AF');
  const chosen = {
    ...{
      'zh-TW': 'zh_TW',
      'zh-HK': 'zh_HK',
      'zh-Hant': 'zh_TW',
      yue: 'zh_HK',
      zh: 'zh_CN',
      'zh-SG': 'zh_CN',
    },
    ...{
      pt: 'pt_PT',
      'pt-PT': 'pt_PT',
      'pt-BR': 'pt_BR',
      no: 'nb',
      nn: 'nb',
      'fa-AF': 'prs_AF',
      und: 'en_US',
    },
  };
  assert.deepEqual(Object.fromEntries(Object.keys(chosen).map((locale) => [locale, choose(locale)])), chosen);
});

test('whatever the language of a country, the version is one of those that are approved', () => {
  const approved = ['en_US', 'pt_BR', 'de', 'zh_CN'];
  const choose = chooserOf('en_US', ...approved.slice(1));
  for (const locale of [...WORDINGS.keys(), ...COUNTRY_LOCALES.values()])
    assert.ok(approved.includes(choose(locale)), locale);
});

test('languages are spelled as Meta spells them', () => {
  for (const language of TEMPLATE_LANGUAGES) assert.match(language, /^[a-z]{2,3}(_[A-Z]{2})?$/);
  for (const language of ['pt_BR', 'en_US', 'zh_CN', 'zh_HK', 'zh_TW', 'fil'])
    assert.ok(TEMPLATE_LANGUAGES.includes(language));
  for (const language of ['pt-BR', 'zh_Hans', 'no']) assert.ok(!TEMPLATE_LANGUAGES.includes(language));
});
