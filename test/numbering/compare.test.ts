/** What is told of a new version of the metadata, by Benin: it had eight digits, and has ten. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetadataJson } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.max.json';
import { comparePlans } from '../../release/numbering/compare.ts';

const beninAs = (plan: MetadataJson['countries']['BJ']): MetadataJson => ({
  ...metadata,
  country_calling_codes: { 229: ['BJ'] },
  countries: { ...(plan && { BJ: plan }) },
});
/** Patterns of landlines and mobiles, of metadata of the format of today. */
const OF_OLD = ['(?:[25689]\\d|40)\\d{6}', [8], [], 0, 0, 0, 0, 0, 0];
const TYPES = [['2(?:02|1[037]|2[45]|3[68])\\d{5}'], ['(?:40|5[1-9]|6\\d|9[013-9])\\d{6}']];
const before = beninAs(['229', '00', ...OF_OLD, TYPES]);
const now = beninAs(metadata.countries.BJ);

test('mobile numbers that are new, and that are none any more, are told by their beginnings', () => {
  const [ten, eight, ...others] = comparePlans(before, now).toSorted((a, b) => b.digits - a.digits);
  assert.deepEqual(others, []);
  const place = { country: 'BJ', callingCode: '229' };
  const withdrawn = '40 51 52 53 54 55 56 57 58 59 6 90 91 93 94 95 96 97 98 99'.split(' ');
  assert.deepEqual(eight, { ...place, digits: 8, gained: [], lost: withdrawn, withdrawn });
  assert.deepEqual(
    { ...ten, gained: ten?.gained.slice(-3) },
    {
      ...{ ...place, digits: 10, lost: [], withdrawn: [] },
      gained: ['015', '016', '019'],
    },
  );
});

test('a range that becomes one of landlines is lost, and is not withdrawn', () => {
  const asLandlines = beninAs([
    '229',
    '00',
    ...OF_OLD,
    [['(?:2\\d|40)\\d{6}'], ['(?:5[1-9]|6\\d|9[013-9])\\d{6}']],
  ]);
  const [change, ...others] = comparePlans(before, asLandlines);
  assert.deepEqual(others, []);
  assert.deepEqual([change?.gained, change?.lost, change?.withdrawn], [[], ['40'], []]);
});

test('a range of which a part is still there is lost, and is not withdrawn', () => {
  const landlines = TYPES[0] ?? [];
  const inPart = beninAs([
    '229',
    '00',
    ...OF_OLD,
    [landlines, ['40111\\d{3}|(?:5[1-9]|6\\d|9[013-9])\\d{6}']],
  ]);
  const [change, ...others] = comparePlans(before, inPart);
  assert.deepEqual([others, change?.lost], [[], ['40']]);
  const beside = '4010 4012 4013 4014 4015 4016 4017 4018 4019'.split(' ');
  const apart = '400 402 403 404 405 406 407 408 409'.split(' ');
  assert.deepEqual(change?.withdrawn, [...apart, ...beside].sort());
});

test('nothing is told of the same metadata', () => assert.deepEqual(comparePlans(now, now), []));
