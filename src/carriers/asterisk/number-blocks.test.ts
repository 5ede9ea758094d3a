import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { drawCaller, findBlockFault } from './number-blocks.ts';

suite('blocks of numbers that missed calls come from', () => {
  test('whole ones, of enough numbers, without overlap, are in order', () => {
    for (const blocks of [
      ['+4930123xxxx'],
      ['+4930123xxxxxx', '+4930124xxxx', '+493012xxxx'],
      ['+44203000xxxx', '+44203001xxxx'],
    ])
      assert.equal(findBlockFault(blocks, 4), undefined, blocks.join());
  });

  test('others are refused, with what is wrong with which', () => {
    for (const [blocks, length, fault] of [
      [
        ['+4930123xxxx', '+49301234xxx'],
        4,
        /^1: has 3 free digits, and the code of a missed call 4 \(code\.endingLength\)/,
      ],
      [['+4930123xxxx'], 5, /^0: has 4 free digits, and the code of a missed call 5/],
      [['+493xxxx'], 4, /^0: has numbers of 7 digits, and those of E\.164 have 8 to 15/],
      [['+4930123456789xxxx'], 4, /^0: has numbers of 17 digits/],
      [['+4930123xxxx', '+4930124xxxx', '+493012xxxxx'], 4, /^2: has numbers of block 0 as well/],
      [['+493012xxxxx', '+4930123xxxx'], 4, /^1: has numbers of block 0 as well/],
      [['+999123xxxx'], 4, /^0: begins with no calling code of a country; name a block/],
      [['+4930123xxxx', '+49900123xxxx'], 4, /^1: has premium-rate numbers; name a block/],
      [['+49180123xxxx'], 4, /^0: has shared-cost numbers/],
      [['+97912345xxxx'], 4, /^0: has premium-rate numbers/],
      [['+447012345xxx', '+4470123xxxxx'], 3, /^0: has personal numbers/],
      [['+4930123xxxx', '+4930123xxxx'], 4, /^1: has numbers of block 0 as well/],
    ] as const)
      assert.match(findBlockFault(blocks, length) ?? 'none', fault);
  });

  test('each number that ends with the code is as likely, whatever block it is in', () => {
    const drawn = Array.from({ length: 11 }, (_, place) =>
      drawCaller(['+4930123xxxx', '+493099xxxxx'], '0417', {
        below(most) {
          assert.equal(most, 11);
          return place;
        },
      }),
    );
    const larger = Array.from({ length: 10 }, (_, digit) => `+493099${digit}0417`);
    assert.deepEqual(drawn, ['+49301230417', ...larger]);
    assert.match(drawCaller(['+4930xxxxxxxx'], '0417', SYSTEM_RANDOM) ?? '', /^\+4930[0-9]{4}0417$/);
  });

  test('a code that no number can end with has none', () => {
    assert.equal(drawCaller(['+4930123xxxx'], '041799', SYSTEM_RANDOM), undefined);
    assert.equal(drawCaller(['+4930123xxxx'], '4KZ0', SYSTEM_RANDOM), undefined);
    assert.equal(drawCaller([], '0417', SYSTEM_RANDOM), undefined);
  });
});
