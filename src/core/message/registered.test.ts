import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { composeMessage, type MessageFacts, type MessageOptions } from './message.ts';
import { checkMessages } from './message-check.ts';
import type { RegisteredTexts } from './registered.ts';

const IN: RegisteredTexts = {
  entity: 'E1',
  texts: {
    hi: { id: 'T-hi', sms: '{{code}} {{brand}} कोड' },
    en: { id: 'T-en', sms: '{{code}} is your {{brand}} code for {{minutes}} min.\nFA+9qCX9VSu' },
  },
  named: { login: { en: { id: 'T-login', sms: 'Code {{code}}' } } },
};

const OPTIONS: MessageOptions = {
  brand: 'Acme',
  templates: { en: { sms: '{{code}} from a template' } },
  named: { login: { en: { sms: '{{code}} in' } }, other: { en: { sms: '{{code}} other' } } },
  registered: { IN },
  webOtpDomain: 'example.com',
  smsRetrieverHash: 'FA+9qCX9VSu',
};

const compose = (facts: Partial<MessageFacts> = {}, options = OPTIONS) =>
  composeMessage(options, { code: '482913', country: 'IN', channel: 'sms', validForMs: 600_000, ...facts });

const idOf = (wish: MessageFacts['wish'], options = OPTIONS) =>
  compose({ wish }, options).registration?.template;

test('the text is the registered one and nothing else, with its ids', () => {
  assert.deepEqual(compose({ wish: { locale: 'en-GB' } }), {
    text: '482913 is your Acme code for 10 min.\nFA+9qCX9VSu',
    locale: 'en',
    registration: { entity: 'E1', template: 'T-en' },
  });
});

test('without a registered text of that language or name, the nearest that is', () => {
  assert.equal(idOf({ locale: 'fr' }), 'T-hi', 'the first is the one to fall back to');
  assert.equal(idOf({ locale: 'en', template: 'other' }), 'T-en');
  const texts = { en: { sms: '{{code}}', id: 'T-en' }, 'hi-Deva': { sms: '{{code}}', id: 'T-hi' } };
  const scripted = { ...OPTIONS, registered: { IN: { entity: 'E1', texts } } };
  assert.equal(idOf({ locale: 'hi' }, scripted), 'T-hi');
  assert.equal(idOf({ locale: 'hi', template: 'login' }), 'T-login');
  assert.equal(idOf({ locale: 'hi', template: 'constructor' }), 'T-hi');
  assert.equal(idOf(undefined, { ...OPTIONS, locale: 'en' }), 'T-en');
  assert.equal(idOf(undefined, { ...OPTIONS, locales: { IN: 'en' } }), 'T-en');
});

test('the app hash of a request is not added: the text would not be the registered one', () => {
  assert.ok(!compose({ wish: { locale: 'hi', appHash: 'AAAAAAAAAAA' } }).text.includes('AAAAAAAAAAA'));
});

test('a code with letters gets no direction mark, which nobody registered', () => {
  const registered = { SA: { texts: { ar: { sms: '{{code}} رمزك' } } } };
  const { text, registration } = compose({ country: 'SA', code: 'AB12' }, { ...OPTIONS, registered });
  assert.deepEqual([text, registration], ['AB12 رمزك', undefined]);
});

test('other countries and calls are worded as always', () => {
  const { registered: _, ...usual } = OPTIONS;
  fc.assert(
    fc.property(
      fc.constantFrom('DE', 'US', 'IN', 'ZZ'),
      fc.constantFrom('sms', 'voice'),
      fc.constantFrom(undefined, 'en', 'hi', 'fr'),
      fc.constantFrom(undefined, 'login', 'other'),
      (country, channel, locale, template) => {
        if (country === 'IN' && channel === 'sms') return;
        const facts = { country, channel, wish: { locale, template } };
        assert.deepEqual(compose(facts), compose(facts, usual));
      },
    ),
  );
});

test('what is wrong with registered texts is named', () => {
  const problems = (registered: Readonly<Record<string, RegisteredTexts>>) =>
    checkMessages({ ...OPTIONS, registered }).map(({ level, key }) => `${level} ${key}`);
  const usual = problems({});
  const found = (country: RegisteredTexts, code = 'IN') =>
    problems({ [code]: country }).filter((problem) => !usual.includes(problem));
  const text = { id: 'T', sms: '{{code}}' };
  assert.deepEqual(found(IN), []);
  assert.deepEqual(found({ texts: { en: { sms: '{{code}}' } } }), []);
  for (const [country, expected] of [
    [{ texts: {} }, 'error registered.IN.texts'],
    [{ texts: { en: { sms: 'none' } } }, 'error registered.IN.texts.en.sms'],
    [{ texts: { en: { sms: '{{code}} {{var}}' } } }, 'error registered.IN.texts.en.sms'],
    [{ texts: { EN: { sms: '{{code}}' } } }, 'error registered.IN.texts.EN'],
    [{ texts: { en: text } }, 'error registered.IN.entity'],
    [{ entity: 'E', texts: { en: { sms: '{{code}}' } } }, 'error registered.IN.texts.en.id'],
    [{ entity: 'E', texts: { en: text }, named: { login: {} } }, 'error registered.IN.named.login'],
    [
      { entity: 'E', texts: { en: text }, named: { unknown: { en: text } } },
      'error registered.IN.named.unknown',
    ],
    [
      { entity: 'E', texts: { en: { id: 'T', sms: `{{code}} ${'x'.repeat(155)}` } } },
      'warning registered.IN.texts.en',
    ],
  ] as const) {
    assert.deepEqual(found(country), [expected]);
  }
  assert.deepEqual(found({ texts: { en: { sms: '{{code}}' } } }, 'UK'), ['error registered.UK']);
});
