import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCountries } from 'libphonenumber-js/max';
import { COUNTRY_LOCALES, DEFAULT_LOCALE, WORDINGS } from './locales.ts';
import { composeMessage } from './message.ts';
import { countSegments } from './segments.ts';

const LONGEST_CODES = ['8888888888', 'HHHHHHHHHH'];

test('there are words in at least 30 languages', () => {
  assert.ok(WORDINGS.size >= 30);
  assert.ok(WORDINGS.has(DEFAULT_LOCALE));
});

test('every country that has telephone numbers has a language, and nothing else has', () => {
  assert.deepEqual([...COUNTRY_LOCALES.keys()].sort(), getCountries().sort());
});

test('every language of a country has words', () => {
  for (const locale of COUNTRY_LOCALES.values()) assert.ok(WORDINGS.has(locale), locale);
});

for (const [locale, wording] of WORDINGS) {
  test(`${locale} is a canonical tag with complete words`, () => {
    assert.deepEqual(Intl.getCanonicalLocales(locale), [locale]);
    assert.match(wording.text, /^\{\{code\}\}\P{L}.*\{\{brand\}\}/u);
    assert.doesNotMatch(wording.warning, /\{\{/);
    for (const placeholder of ['{{code}}', '{{brand}}']) {
      for (const text of [wording.text, wording.speech])
        assert.equal(text.split(placeholder).length, 2, text);
    }
    // A letter left from another script, or composed of two characters, would look right and be wrong.
    for (const text of Object.values(wording)) assert.equal(text, text.normalize('NFC'));
  });

  test(`${locale} fits one segment with a code of 10 characters and a brand of 12`, () => {
    for (const code of LONGEST_CODES) {
      const { text } = composeMessage(
        { brand: 'Countersigns', locale },
        { code, country: 'ZZ', channel: 'sms', validForMs: 600_000 },
      );
      assert.equal(countSegments(text), 1, text);
    }
  });

  test(`${locale} has room for its warning beside a common code and brand`, () => {
    const { text } = composeMessage(
      { brand: 'Acme', locale },
      { code: '482913', country: 'ZZ', channel: 'sms', validForMs: 600_000 },
    );
    assert.ok(text.includes(wording.warning), text);
  });
}
