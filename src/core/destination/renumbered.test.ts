import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePhoneNumberFromString } from 'libphonenumber-js/core/es6';
import metadata from 'libphonenumber-js/metadata.max.json';
import { parseDestination } from './destination.ts';
import { findWithdrawn, renumber } from './renumbered.ts';
import { WITHDRAWN } from './withdrawn.ts';

const refusal = (number: string) => {
  const parsed = parseDestination(number, 'voice');
  assert.ok(!parsed.ok, number);
  assert.equal(parsed.code, 'invalid_number', number);
  return parsed.detail;
};

const CHANGED = [
  ['+22997123456', '+2290197123456', /2024, numbers of Benin are 01 and/],
  ['+22501123456', '+2250101123456', /Côte d’Ivoire are 01 and/],
  ['+22550123456', '+2250150123456', /Côte d’Ivoire are 01 and/],
  ['+22546123456', '+2250546123456', /Côte d’Ivoire are 05 and/],
  ['+22589123456', '+2250789123456', /Côte d’Ivoire are 07 and/],
  ['+5215512345678', '+525512345678', /Mexico have no 1 after \+52/],
  ['+551181234567', '+5511981234567', /Brazil have a 9/],
  ['+841201234567', '+84701234567', /began with 120 begin with 70/],
  ['+841991234567', '+84591234567', /began with 199 begin with 59/],
  ['+5712345678', '+576012345678', /landlines of Colombia have 60/],
  ['+38649123456', '+38349123456', /Kosovo begin with \+383/],
  ['+33690123456', '+590690123456', /Guadeloupe.* begin with \+590/],
  ['+33692123456', '+262692123456', /Réunion.* begin with \+262/],
  ['+33694123456', '+594694123456', /French Guiana begin with \+594/],
  ['+33696123456', '+596696123456', /Martinique begin with \+596/],
] as const;

for (const [before, now, rule] of CHANGED) {
  test(`${before} is refused, and the refusal says how ${now} follows from it`, () => {
    assert.match(refusal(before), rule);
    assert.equal(renumber(before)?.number, now);
    const parsed = parseDestination(now, 'voice');
    assert.equal(parsed.ok && parsed.destination.address, now);
  });
}

test('the hint repeats neither the number nor the one of today, and the number is not rewritten', () => {
  for (const [before, now] of CHANGED) {
    const detail = refusal(before);
    assert.ok(!detail.includes(before.slice(-6)) && !detail.includes(now), detail);
  }
});

test('there is no hint where the number of today would be none, either', () => {
  for (const number of ['+22911123456', '+5211212345678', '+225601234'])
    assert.match(refusal(number), /valid in the numbering plan/);
});

test('of a range that was withdrawn, the beginning is named', () => {
  for (const [number, beginning] of [
    ['+33700123456', '+33700'],
    ['+4758123456', '+4758'],
    ['+22560123456', '+22560'],
    ['+40620123456', '+4062'],
    ['+26732112345', '+267321'],
    ['+8563021234567', '+856302'],
  ] as const) {
    const range = `those of ${number.length - 1} digits that begin with ${beginning}`;
    const detail = `Expected a number that is in use: ${range} are not any more.`;
    assert.equal(refusal(number), detail);
  }
});

test('of every range that is listed as withdrawn, all numbers are refused', () => {
  const next = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0'));
  for (const line of WITHDRAWN.trim().split('\n')) {
    const [callingCode = '', digits, ...prefixes] = line.split(' ');
    for (const prefix of prefixes) {
      const example = `+${callingCode}${prefix.padEnd(Number(digits), '0')}`;
      assert.equal(findWithdrawn(example), `+${callingCode}${prefix}`);
      assert.match(refusal(example), /are not any more/);
      const valid = next
        .map((two) => `+${callingCode}${`${prefix}${two}`.padEnd(Number(digits), '1')}`)
        .filter((number) => parsePhoneNumberFromString(number, metadata)?.isValid());
      assert.deepEqual(valid, []);
    }
  }
});
