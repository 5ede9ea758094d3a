import assert from 'node:assert/strict';
import { test } from 'node:test';
import metadata from 'libphonenumber-js/metadata.max.json';
import { describeCountedAs } from './counted-as.ts';
import { readNumber } from './numbering-plan.ts';

/** Of four and of five digits. */
const PREFIXES = Array.from({ length: 110_000 }, (_, index) =>
  String(index + 1e5).slice(index < 1e5 ? 1 : 2),
);

/** Of countries that share a calling code, what numbers count as theirs: a few of each beginning are tried. */
function* tried(): Generator<readonly [country: string, type: string]> {
  for (const [callingCode, sharing] of Object.entries(metadata.country_calling_codes)) {
    if (sharing.length === 1) continue;
    for (const prefix of PREFIXES) {
      for (const end of ['', '00', '000', '2345', '23456']) {
        const read = readNumber(`+${callingCode}${prefix}${end}`);
        if (read !== undefined) yield [read.country, read.type];
      }
    }
  }
}

test('exactly the countries that are listed have no mobile number of their own', () => {
  const types = new Map<string, Set<string>>();
  for (const [country, type] of tried()) types.getOrInsertComputed(country, () => new Set()).add(type);
  const shared = Object.values(metadata.country_calling_codes).filter((sharing) => sharing.length > 1);
  for (const country of shared.flat()) {
    const own = [...(types.get(country) ?? [])];
    const [said] = describeCountedAs([country]);
    const hasMobiles = own.some((type) => type.includes('MOBILE'));
    assert.equal(said === undefined, hasMobiles, country);
    if (said !== undefined) assert.equal(said.includes('landlines'), own.includes('FIXED_LINE'), country);
  }
});

test('an example of their mobile numbers counts as the country that is said', () => {
  for (const [country, other, number] of [
    ['AX', 'FI', '+358412345678'],
    ['BL', 'GP', '+590690001234'],
    ['CC', 'AU', '+61412345678'],
    ['CX', 'AU', '+61412345678'],
    ['EH', 'MA', '+212650123456'],
    ['MF', 'GP', '+590690001234'],
    ['SJ', 'NO', '+4741234567'],
    ['VA', 'IT', '+393123456789'],
  ] as const) {
    assert.equal(readNumber(number)?.country, other);
    assert.match(describeCountedAs([country])[0] ?? '', new RegExp(`of ${country} count as ${other}\\b`));
    assert.deepEqual(describeCountedAs([country, other]), []);
  }
});

test('where only landlines are told apart, they count as their own', () => {
  for (const [country, number] of [
    ['AX', '+3581812345'],
    ['SJ', '+4779021234'],
    ['CX', '+61891641234'],
  ] as const)
    assert.equal(readNumber(number)?.country, country);
});
