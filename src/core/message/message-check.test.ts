import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTRY_LOCALES } from './locales.ts';
import type { MessageOptions } from './message.ts';
import { checkMessages } from './message-check.ts';

function problems(options: Partial<MessageOptions>, codeLength?: number): string[] {
  return checkMessages({ brand: 'Acme', ...options }, codeLength).map(({ level, key }) => `${level} ${key}`);
}

test('a brand of up to 12 characters needs no other settings', () => {
  assert.deepEqual(problems({}), []);
  assert.deepEqual(problems({ brand: 'Countersigns' }), []);
});

for (const [reason, options, expected] of [
  ['a blank brand', { brand: ' ' }, 'error brand'],
  ['a brand of two lines', { brand: 'Acme\nInc' }, 'error brand'],
  [
    'a brand that takes a second segment',
    { brand: 'The very long name of quite a large company' },
    'warning brand',
  ],
  ['a URL for a domain', { webOtpDomain: 'https://example.com' }, 'error webOtpDomain'],
  ['a domain in capitals', { webOtpDomain: 'Example.com' }, 'error webOtpDomain'],
  ['a country that is none, without the domain', { webOtpExcept: ['TR', 'XX'] }, 'error webOtpExcept'],
  ['a hash of 10 characters', { smsRetrieverHash: 'FA+9qCX9VS' }, 'error smsRetrieverHash'],
  ['a language without words', { locale: 'cy' }, 'error locale'],
  ['a misspelled tag', { locale: 'pt-br' }, 'error locale'],
  ['no tag', { locale: 'not a tag' }, 'error locale'],
  ['a language without words for a country', { locales: { GB: 'cy' } }, 'error locales.GB'],
  ['a country that is none', { locales: { de: 'de' } }, 'error locales.de'],
  ['a template without the code', { templates: { de: { sms: 'Hallo' } } }, 'error templates.de.sms'],
  ['a template for a misspelled tag', { templates: { DE: {} } }, 'error templates.DE'],
  [
    'an unknown placeholder',
    { templates: { de: { voice: '{{code}} {{name}}' } } },
    'error templates.de.voice',
  ],
  ['a code that is not first', { templates: { de: { sms: 'Code: {{code}}' } } }, 'warning templates.de.sms'],
  [
    'a template of two segments',
    { templates: { de: { sms: `{{code}} ${'x'.repeat(160)}` } } },
    'warning templates.de.sms',
  ],
  [
    'a language that has no voice template',
    { locale: 'cy', templates: { cy: { sms: '{{code}} yw eich cod.' } } },
    'warning locale',
  ],
] as const) {
  test(`finds ${reason}`, () => {
    assert.deepEqual(problems(options), [expected]);
  });
}

test('a voice template need not begin with the code', () => {
  assert.deepEqual(problems({ templates: { de: { voice: 'Der Code: {{code}}' } } }), []);
});

test('ZZ stands for destinations without a country', () => {
  assert.deepEqual(problems({ locales: { ZZ: 'de' } }), []);
});

test('the languages in which additions take a second segment are named', () => {
  const options = { brand: 'Acme', webOtpDomain: 'login.example.com', smsRetrieverHash: 'FA+9qCX9VSu' };
  const [problem, ...rest] = checkMessages(options, 6);
  assert.equal(problem?.key, 'webOtpDomain');
  assert.match(problem?.detail ?? '', /\bel\b/);
  assert.doesNotMatch(problem?.detail ?? '', /\b(en|de)\b/);
  assert.deepEqual(rest, []);
});

test('a language whose countries all go without the line does not take a second segment for it', () => {
  const options = { webOtpDomain: 'login.example.com', smsRetrieverHash: 'FA+9qCX9VSu' };
  const split = (webOtpExcept: string[]) => problems({ ...options, webOtpExcept }, 6);
  assert.deepEqual(split(['GR']), ['warning webOtpDomain'], 'Cyprus has the line, and is Greek, too');
  assert.deepEqual(split([...COUNTRY_LOCALES.keys()]), []);
  assert.doesNotMatch(
    checkMessages({ ...options, brand: 'Acme', webOtpExcept: ['GR', 'CY'] }, 6)[0]?.detail ?? '',
    /\bel\b/,
  );
});

test('a language that is never chosen is not complained about', () => {
  const options = { webOtpDomain: 'login.example.com', smsRetrieverHash: 'FA+9qCX9VSu' };
  assert.deepEqual(problems({ ...options, locale: 'en' }, 6), []);
  assert.deepEqual(problems({ ...options, locale: 'el' }, 6), ['warning webOtpDomain']);
});

test('an SMS that the SMS Retriever would drop is named', () => {
  const templates = { en: { sms: `{{code}} ${'x'.repeat(125)}` } };
  assert.deepEqual(problems({ locale: 'en', templates, smsRetrieverHash: 'FA+9qCX9VSu' }), [
    'warning smsRetrieverHash',
  ]);
});

test('named texts are checked as all others are', () => {
  const named = {
    login: { en: { sms: 'no code' }, de: { sms: '{{code}} {{what}}' }, EN: { sms: '{{code}}' } },
  };
  const keys = checkMessages({ brand: 'Acme', named }).map(({ level, key }) => `${level} ${key}`);
  assert.deepEqual(keys, ['error named.login.en.sms', 'error named.login.de.sms', 'error named.login.EN']);
  const long = { login: { en: { sms: `{{code}} ${'x'.repeat(160)}` } } };
  assert.deepEqual(
    checkMessages({ brand: 'Acme', named: long }).map(({ level, key }) => `${level} ${key}`),
    ['warning named.login.en.sms'],
  );
});
