/** What people type as their number, as E.164. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { getCountries, getExampleNumber } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/examples.mobile.json';
import metadata from 'libphonenumber-js/metadata.max.json';
import {
  callingCodes,
  countriesIn,
  countryOf,
  exampleOf,
  firstCountry,
  inGroups,
  toE164,
  withoutCallingCode,
} from '../../component/src/countries.ts';
import { CALLING_CODES_FILE, callingCodesSource } from '../../release/calling-codes.ts';

test('the table of calling codes is the metadata’s; if not, run release/calling-codes.ts', () => {
  assert.equal(readFileSync(CALLING_CODES_FILE, 'utf8'), callingCodesSource());
});

/** Its mobile numbers have other digits at home than abroad, which only the whole numbering plan tells. */
const IRREGULAR: readonly string[] = ['AR'];

test('an example number of every country is understood, as written at home and abroad', () => {
  const countries = getCountries(metadata).filter((country) => !IRREGULAR.includes(country));
  assert.ok(countries.length > 240);
  const misread = countries.flatMap((country) => {
    const number = getExampleNumber(country, examples, metadata);
    if (number === undefined) return [];
    const ways = [number.formatNational(), number.nationalNumber, number.formatInternational()];
    return ways
      .filter((written) => toE164(written, country) !== number.number)
      .map((written) => `${country}: ${written} is ${number.number}, not ${toE164(written, country)}`);
  });
  assert.deepEqual(misread, []);
});

test('numbers are read however they are written', () => {
  for (const [typed, country, expected] of [
    ['0660 123 45 67', 'AT', '+436601234567'],
    ['660/1234567', 'AT', '+436601234567'],
    ['\u200b0\u00ad0\ufe0d43 660/123\u31644567\u2060', 'DE', '+436601234567'],
    ['+43 (0)660 1234567', 'US', '+436601234567'],
    ['0043 660 1234567', 'DE', '+436601234567'],
    ['(+43) 660 1234567', 'DE', '+436601234567'],
    ['＋43 ６６０ 1234567', 'DE', '+436601234567'],
    ['٠٦٦٠ ١٢٣ ٤٥ ٦٧', 'AT', '+436601234567'],
    ['(415) 555-0123', 'US', '+14155550123'],
    ['1 415 555 0123', 'US', '+14155550123'],
    ['8 (912) 345-67-89', 'RU', '+79123456789'],
    ['812 345-67-89', 'RU', '+78123456789'],
    ['8 029 491-19-11', 'BY', '+375294911911'],
    ['06 30 123 4567', 'HU', '+36301234567'],
    ['06 1234 5678', 'IT', '+390612345678'],
    ['+39 06 1234 5678', 'US', '+390612345678'],
    ['+800 1234 5678', 'US', '+80012345678'],
    ['', 'US', undefined],
    ['abc', 'US', undefined],
    ['+', 'US', undefined],
  ] as const) {
    assert.equal(toE164(typed, country), expected, typed);
  }
});

const ALL = countriesIn(null);

test('a number with a calling code chooses its country, of those that are offered', () => {
  assert.equal(countryOf('+43', 'US', ALL), 'AT');
  assert.equal(countryOf('+4', 'US', ALL), undefined);
  assert.equal(countryOf('0043 660', 'US', ALL), 'AT');
  assert.equal(countryOf('0660', 'US', ALL), undefined);
  assert.equal(countryOf('+1 416', 'CA', ALL), 'CA', 'the one that shares it stays');
  assert.equal(countryOf('+1 416', 'AT', ALL), 'US');
  assert.equal(countryOf('+1 416', 'AT', ['AT', 'CA']), 'CA');
  assert.equal(countryOf('+49', 'AT', ['AT', 'CA']), undefined);
  assert.equal(withoutCallingCode('+43 660 123'), '660123');
  assert.equal(withoutCallingCode('0660 123'), '0660 123');
});

test('the country to begin with is the one asked for, or the one of the language, if it is offered', () => {
  assert.equal(firstCountry('at', ['en-GB'], ALL), 'AT');
  assert.equal(firstCountry(null, ['de', 'en-GB'], ALL), 'GB');
  assert.equal(firstCountry(null, ['de'], ALL), 'DE');
  assert.equal(firstCountry(null, ['es-419', 'es-MX'], ALL), 'MX');
  assert.equal(firstCountry('XX', ['no such tag'], ALL), 'US');
  assert.equal(firstCountry('AT', ['en-GB'], ['FR', 'GB']), 'GB');
  assert.equal(firstCountry('AT', ['en-US'], ['FR', 'GB']), 'FR');
});

test('a page names countries as it likes; all are offered if it names none', () => {
  assert.deepEqual(countriesIn(' fr, GB\nfr XX'), ['GB', 'FR'].sort(byPlan));
  for (const none of [null, '', 'XX']) assert.equal(countriesIn(none).length, callingCodes.size);
});

const byPlan = (one: string, other: string) => ALL.indexOf(one) - ALL.indexOf(other);

test('a number is written in groups as it is typed, and every other text is left alone', () => {
  for (const [typed, country, expected] of [
    ['2', 'US', '(2'],
    ['2015', 'US', '(201) 5'],
    ['2015550123', 'US', '(201) 555-0123'],
    ['12015550123', 'US', '1 (201) 555-0123'],
    ['660123', 'AT', '660 123'],
    ['06601234567', 'AT', '0660 1234567'],
    ['0612345678', 'FR', '06 12 34 56 78'],
    ['06301234567', 'HU', '06 30 123 4567'],
    ['+436601234567', 'US', '+43 660 1234567'],
    ['+43', 'AT', '+43'],
    ['+4', 'AT', '+4'],
    ['+1 4165550123', 'AT', '+1 (416) 555-0123'],
    ['+80012345678', 'AT', '+80012345678'],
    ['٠٦٦٠', 'AT', '٠٦٦٠'],
    ['call me', 'AT', 'call me'],
    ['', 'AT', ''],
  ] as const)
    assert.equal(inGroups(typed, country), expected, typed);
});

test('of every country the example is in its own groups, and groups change no number', () => {
  for (const country of ALL) {
    const example = exampleOf(country);
    assert.equal(inGroups(example, country), example, country);
    for (const typed of [example, `0${example}`, `+${callingCodes.get(country)}${example}`, `${example}99`])
      assert.equal(toE164(inGroups(typed, country), country), toE164(typed, country), `${country}: ${typed}`);
  }
});
