import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WORDINGS } from './locales.ts';
import { composeMessage, coverCode, type MessageFacts, type MessageOptions, splitAtCode } from './message.ts';
import { countSegments } from './segments.ts';

const HASH = 'FA+9qCX9VSu';

function compose(options: Partial<MessageOptions> = {}, facts: Partial<MessageFacts> = {}) {
  return composeMessage(
    { brand: 'Acme', ...options },
    { code: '482913', country: 'US', channel: 'sms', validForMs: 600_000, ...facts },
  );
}

test('an SMS begins with the code, in the language of the country', () => {
  assert.deepEqual(compose(), {
    text: '482913 is your Acme code. Do not share it with anyone.',
    locale: 'en',
  });
  assert.deepEqual(compose({}, { country: 'DE' }), {
    text: '482913 ist Ihr Code für Acme. Geben Sie ihn nicht weiter.',
    locale: 'de',
  });
});

test('a destination without a country is written to in English', () => {
  assert.equal(compose({}, { country: 'ZZ' }).locale, 'en');
});

test('a language chosen for a country goes before the built-in one, and one for all before both', () => {
  assert.equal(compose({ locales: { IN: 'hi' } }, { country: 'IN' }).locale, 'hi');
  assert.equal(compose({ locales: { IN: 'hi' } }, { country: 'DE' }).locale, 'de');
  assert.equal(compose({ locale: 'fr', locales: { IN: 'hi' } }, { country: 'IN' }).locale, 'fr');
});

test('a tag without words of its own falls back to its prefix, and at last to English', () => {
  assert.equal(compose({ locale: 'de-AT' }).locale, 'de');
  assert.equal(compose({ locale: 'xx-YY' }).locale, 'en');
});

test('a tag that leaves its script or region out has the words that its speakers read, in texts and in calls', () => {
  const named = { login: { en: { sms: '{{code}} in' }, 'zh-Hant': { sms: '{{code}} 登入' } } };
  for (const channel of ['sms', 'voice'] as const) {
    assert.equal(compose({ locale: 'zh-HK' }, { channel }).locale, 'zh-Hant');
    assert.equal(compose({ locales: { NO: 'nn' } }, { channel, country: 'NO' }).locale, 'nb');
    assert.equal(compose({}, { channel, wish: { locale: 'sr' } }).locale, 'sr-Latn');
  }
  assert.equal(compose({ named }, { wish: { template: 'login', locale: 'zh-TW' } }).text, '482913 登入');
  const templates = { 'zh-TW': { sms: '{{code}} 台灣' }, no: { sms: '{{code}} norsk' } };
  assert.equal(compose({ templates, locale: 'zh-TW' }).text, '482913 台灣');
  assert.equal(compose({ templates, locale: 'nn' }).text, '482913 norsk');
  assert.equal(compose({ templates, locale: 'zh-CN' }).locale, 'zh-Hans');
});

test('the warning is left out where it would cost a second segment', () => {
  const short = compose({ brand: 'Acme' }, { country: 'RU' }).text;
  const long = compose({ brand: 'Акционерное общество «Акме и сыновья»' }, { country: 'RU' }).text;
  assert.match(short, /Никому/);
  assert.doesNotMatch(long, /Никому/);
  assert.equal(countSegments(long), 1);
});

test('the warning is left out where it would be too long for the SMS Retriever', () => {
  // One segment with the warning (70 characters at most), yet over 140 bytes: three bytes to a letter.
  const { text } = compose({ smsRetrieverHash: HASH, locale: 'ta' });
  assert.ok(Buffer.byteLength(text) <= 140, text);
});

test('the origin-bound code is the last line, after the hash of the app', () => {
  assert.match(compose({ webOtpDomain: 'example.com' }).text, /\n@example\.com #482913$/);
  assert.match(compose({ smsRetrieverHash: HASH }).text, /\nFA\+9qCX9VSu$/);
  assert.match(
    compose({ smsRetrieverHash: HASH, webOtpDomain: 'example.com' }).text,
    /^482913 .*\nFA\+9qCX9VSu\n@example\.com #482913$/,
  );
});

test('countries without the origin-bound code get the sentence and the hash, and the warning if there is room again', () => {
  const options = {
    webOtpDomain: 'a-very-long-name-of-a-host.of-many-parts.and-even-more-of-them.example.com',
  };
  const except = { ...options, webOtpExcept: ['IN'] };
  const alike = { locale: 'en', smsRetrieverHash: HASH };
  const there = compose({ ...except, ...alike }, { country: 'IN' }).text;
  assert.equal(there, '482913 is your Acme code. Do not share it with anyone.\nFA+9qCX9VSu');
  assert.match(compose({ ...except, ...alike }, { country: 'US' }).text, /\nFA\+9qCX9VSu\n@a-very-/);
  assert.match(compose({ ...options, ...alike, webOtpExcept: [] }, { country: 'IN' }).text, /\n@a-very-/);
  const thai = { locales: { TH: 'th' } };
  const segments = (each: Partial<MessageOptions>) =>
    countSegments(compose({ ...each, ...thai }, { country: 'TH' }).text);
  assert.deepEqual([segments(options), segments({ ...options, webOtpExcept: ['TH'] })], [2, 1]);
});

test('a call carries no lines for machines', () => {
  const { text } = compose({ smsRetrieverHash: HASH, webOtpDomain: 'example.com' }, { channel: 'voice' });
  assert.doesNotMatch(text, /@|FA\+/);
});

test('a call speaks the code character by character, twice', () => {
  assert.equal(
    compose({}, { channel: 'voice', code: '4K2' }).text,
    'Your Acme code is: 4, K, 2. Your Acme code is: 4, K, 2.',
  );
  assert.match(compose({}, { channel: 'voice', country: 'JP', code: '48' }).text, /4、8/);
});

test('a template replaces the whole sentence of its language and channel', () => {
  const templates = { en: { sms: '{{code}}: {{brand}}, {{minutes}} min' } };
  assert.equal(compose({ templates }).text, '482913: Acme, 10 min');
  assert.match(compose({ templates }, { channel: 'voice' }).text, /^Your Acme code/);
  assert.match(compose({ templates }, { country: 'DE' }).text, /ist Ihr Code/);
});

test('a template brings a language that is not built in', () => {
  const options = { templates: { lb: { sms: '{{code}} ass Äre Code.' } }, locales: { LU: 'lb' } };
  assert.deepEqual(compose(options, { country: 'LU' }), { text: '482913 ass Äre Code.', locale: 'lb' });
  assert.equal(compose(options, { country: 'LU', channel: 'voice' }).locale, 'en');
});

test('minutes are whole, at least one, and never more than are left', () => {
  const templates = { en: { sms: '{{code}} {{minutes}}' } };
  for (const [validForMs, minutes] of [
    [1_000, 1],
    [119_999, 1],
    [120_000, 2],
  ] as const) {
    assert.equal(compose({ templates }, { validForMs }).text, `482913 ${minutes}`);
  }
});

test('a brand that looks like a placeholder or a replacement pattern stays as it is', () => {
  assert.match(compose({ brand: '{{code}}$&' }).text, /^482913 is your \{\{code\}\}\$& code/);
});

test('text that runs leftward keeps its direction when the code has letters', () => {
  assert.match(compose({}, { country: 'EG' }).text, /^482913 /);
  assert.match(compose({}, { country: 'EG', code: 'K7M2' }).text, /^\u200fK7M2 /);
  assert.match(compose({}, { country: 'US', code: 'K7M2' }).text, /^K7M2 /);
});

test('the words of a call are split at its code, in every language', () => {
  for (const [locale, { speech }] of WORDINGS) {
    const { text } = compose({ locale }, { channel: 'voice' });
    const words = speech.replace('{{brand}}', 'Acme').split('{{code}}');
    assert.deepEqual(splitAtCode(text, '482913', locale), words);
  }
});

test('the words of a call are split at every mention of its code, and found in no other text', () => {
  const templates = { en: { voice: 'Hear {{code}}. Again: {{code}}, {{brand}}.' } };
  const { text } = compose({ locale: 'en', templates }, { channel: 'voice', code: '1111' });
  assert.deepEqual(splitAtCode(text, '1111', 'en'), ['Hear ', '. Again: ', ', Acme.']);
  for (const other of ['', 'Your code is 1111', '1, 1, 1', '1, 1, 1, 1']) {
    assert.deepEqual(splitAtCode(other, '1111', 'en'), ['', '']);
  }
});

test('of a code that is covered nothing is left, in no language and on no channel', () => {
  const options = { webOtpDomain: 'example.com', brand: 'Acme 48' };
  for (const locale of WORDINGS.keys()) {
    for (const channel of ['sms', 'voice'] as const) {
      for (const code of ['482913', 'KWXQ', '1111']) {
        const composed = compose({ ...options, locale }, { code, channel });
        const text = coverCode({ ...composed, code });
        const signs = [...code].join('\\W{0,9}');
        assert.match(composed.text, new RegExp(signs), composed.text);
        assert.doesNotMatch(text, new RegExp(signs), text);
        assert.equal(text.length, composed.text.length, 'what stands around it stays');
      }
    }
  }
});

test('a call that is not in English comes with the same in English, in words of its own where it has them', () => {
  const call = { channel: 'voice', country: 'AM' } as const;
  const english = compose({ locale: 'en' }, call).text;
  assert.equal(compose({}, call).english, english);
  const templates = { en: { voice: 'Say {{code}} to {{brand}}.' } };
  const own = 'Say 4, 8, 2, 9, 1, 3 to Acme.';
  assert.equal(compose({ templates }, call).english, `${own} ${own}`);
  const british = { locale: 'en-GB', templates: { 'en-GB': { voice: 'Do say {{code}}.' } } };
  for (const plain of [compose(british, call), compose({}, { country: 'AM' })]) {
    assert.equal('english' in plain, false);
  }
});

test('an RCS message has the words of SMS and the hash of the app, and the warning only while it is a basic one', () => {
  const rcs = { channel: 'rcs' } as const;
  const hashed = { smsRetrieverHash: HASH, webOtpDomain: 'example.com' };
  const plain = '482913 is your Acme code.';
  assert.equal(compose(hashed, rcs).text, `${plain} Do not share it with anyone.\n${HASH}`);
  const registered = { IN: { entity: '1101', texts: { en: { id: '1107', sms: '{{code}} registered' } } } };
  assert.equal(compose({ registered }, { ...rcs, country: 'IN' }).registration, undefined);
  for (const [brand, options, isWarned] of [
    ['A'.repeat(110), {}, true],
    ['A'.repeat(111), {}, false],
    ['ä'.repeat(56), {}, false],
    ['A'.repeat(78), hashed, true],
    ['A'.repeat(79), hashed, false],
  ] as const) {
    const { text } = compose({ ...options, brand }, rcs);
    assert.equal(/Do not share/.test(text), isWarned, text);
  }
});

test('a channel without texts of its own has those of SMS, without what only SMS need', () => {
  const options: Partial<MessageOptions> = {
    ...{
      smsRetrieverHash: HASH,
      webOtpDomain: 'example.com',
      templates: { de: { sms: '{{code}} für {{brand}}' } },
    },
    registered: { IN: { entity: '1101', texts: { en: { id: '1107', sms: '{{code}} registered' } } } },
  };
  for (const channel of ['whatsapp', 'telegram'] as const) {
    assert.equal(compose(options, { channel, country: 'DE' }).text, '482913 für Acme');
    assert.equal(
      compose(options, { channel }).text,
      '482913 is your Acme code. Do not share it with anyone.',
    );
    const indian = compose(options, { channel, country: 'IN' });
    assert.equal(indian.registration, undefined);
    assert.doesNotMatch(indian.text, /registered|example/);
  }
});

test('a missed call says nothing, in whatever words and language others are', () => {
  const options = { brand: 'Acme', locale: 'de', templates: { de: { sms: '{{code}}', voice: '{{code}}' } } };
  const facts = { code: '0417', country: 'DE', channel: 'flashcall', validForMs: 600_000 } as const;
  for (const wish of [undefined, { locale: 'fr' }, { template: 'login' }])
    assert.deepEqual(
      composeMessage({ ...options, named: { login: options.templates } }, { ...facts, wish }),
      {
        text: '',
        locale: 'en',
      },
    );
});
