import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { SYSTEM_RANDOM } from '../seams/random.ts';
import { type Alphabet, drawCode, normalizeCode } from './code.ts';

const policy = (alphabet: Alphabet, length: number) => ({ alphabet, length, validFor: 600_000, guesses: 5 });
const SYMBOLS = { digits: '0123456789', letters: '0123456789ABCDEFGHJKMNPQRSTVWXYZ' };

suite('drawing a code', () => {
  for (const alphabet of ['digits', 'letters'] as const) {
    test(`${alphabet}: of the length and the alphabet asked for`, () => {
      for (let length = 4; length <= 10; length++) {
        const code = drawCode(SYSTEM_RANDOM, policy(alphabet, length));
        assert.equal(code.length, length);
        assert.match(code, new RegExp(`^[${SYMBOLS[alphabet]}]+$`));
      }
    });

    test(`${alphabet}: every symbol is as likely as any other, at every place`, () => {
      const symbols = SYMBOLS[alphabet];
      const codes = 20_000;
      const length = 4;
      for (let place = 0; place < length; place++) {
        const counts = new Map<string, number>();
        for (let i = 0; i < codes; i++) {
          const symbol = drawCode(SYSTEM_RANDOM, policy(alphabet, length))[place] ?? '';
          counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
        }
        const expected = codes / symbols.length;
        let chiSquare = 0;
        for (const symbol of symbols) chiSquare += ((counts.get(symbol) ?? 0) - expected) ** 2 / expected;
        const freedom = symbols.length - 1;
        // Ten standard deviations from the mean: an unbiased draw is past it less than once in a billion runs.
        assert.ok(chiSquare < freedom + 10 * Math.sqrt(2 * freedom), `chi-square ${chiSquare}`);
      }
    });

    test(`${alphabet}: a drawn code is in the one spelling that is compared`, () => {
      for (let i = 0; i < 200; i++) {
        const code = drawCode(SYSTEM_RANDOM, policy(alphabet, 8));
        assert.equal(normalizeCode(code, alphabet), code);
      }
    });
  }

  test('codes hardly ever repeat', () => {
    const codes = Array.from({ length: 1_000 }, () => drawCode(SYSTEM_RANDOM, policy('digits', 10)));
    assert.ok(new Set(codes).size > 995);
  });
});

suite('reading a code', () => {
  const spellings: readonly (readonly [string, string])[] = [
    ['as sent', '482913'],
    ['spaces', '482 913'],
    ['spaces around', '  482913\n'],
    ['tabs and line ends', '482\t913\r\n'],
    ['no-break spaces', '482\u00a0913\u202f'],
    ['hyphens', '482-913'],
    ['other dashes', '482\u2010\u2011\u2013\u2014913'],
    ['soft hyphen', '482\u00ad913'],
    ['marks of direction and zero width', '\u200e482\u200b913\u202c\ufeff'],
    ['fillers, variation selectors and joiners', '\u3164482\ufe0f\u034f913\u{e0100}'],
    ['Arabic-Indic', '٤٨٢٩١٣'],
    ['extended Arabic-Indic', '۴۸۲۹۱۳'],
    ['Devanagari', '४८२९१३'],
    ['Bengali', '৪৮২৯১৩'],
    ['Thai', '๔๘๒๙๑๓'],
    ['full-width', '４８２９１３'],
    ['mathematical bold', '𝟒𝟖𝟐𝟗𝟏𝟑'],
    ['Adlam, outside the basic plane', '𞥔𞥘𞥒𞥙𞥑𞥓'],
    ['scripts mixed', '４8२-٩ 1๓'],
  ];
  for (const [name, spelling] of spellings) {
    test(name, () => {
      assert.equal(normalizeCode(spelling, 'digits'), '482913');
      assert.equal(normalizeCode(spelling, 'letters'), '482913');
    });
  }

  test('the digits of every script are read', () => {
    // Unicode encodes the digits of a script as ten code points in a row, from zero up.
    const digits = Array.from({ length: 0x11_0000 }, (_, point) => point)
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .filter((point) => /\p{Nd}/u.test(String.fromCodePoint(point)));
    for (const [i, point] of digits.entries()) {
      const digit = String.fromCodePoint(point);
      assert.equal(normalizeCode(digit, 'digits'), `${i % 10}`, `U+${point.toString(16)}`);
    }
  });

  test('letters in lower case and full width', () => {
    assert.equal(normalizeCode('a7kx9z', 'letters'), 'A7KX9Z');
    assert.equal(normalizeCode('ａ７ｋ-ｘ９ｚ', 'letters'), 'A7KX9Z');
  });

  test('look-alikes are folded only in codes with letters', () => {
    assert.equal(normalizeCode('OoIiLl', 'letters'), '001111');
    assert.equal(normalizeCode('OoIiLl', 'digits'), 'OOIILL');
  });

  test('input that is not a code does not become one', () => {
    for (const input of ['', ' ', '-', '48291', '4829133', '482913x', '+482913', '482.913', '①②③']) {
      assert.notEqual(normalizeCode(input, 'digits'), '482913');
    }
    assert.equal(normalizeCode('', 'digits'), '');
  });

  test('nothing makes it throw, not even half a character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 0xffff })),
        fc.constantFrom<Alphabet>('digits', 'letters'),
        (units, alphabet) => {
          normalizeCode(String.fromCharCode(...units), alphabet);
        },
      ),
    );
  });

  test('normalizing twice changes nothing', () => {
    const symbol = fc.constantFrom(...'0123456789abcXYZoil -\u00ad\u00a0٤٨४８ａ𝟒');
    fc.assert(
      fc.property(fc.array(symbol), fc.constantFrom<Alphabet>('digits', 'letters'), (symbols, alphabet) => {
        const once = normalizeCode(symbols.join(''), alphabet);
        assert.equal(normalizeCode(once, alphabet), once);
      }),
    );
  });
});
