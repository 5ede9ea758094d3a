import fc from 'fast-check';

const LAST = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** Any character of Unicode: no half of a surrogate pair. */
const ANY_CHARACTER = fc
  .nat(LAST - SURROGATES)
  .map((nth) => String.fromCodePoint(nth < FIRST_SURROGATE ? nth : nth + SURROGATES));

/** Text of any characters. The library's unit `binary` is the same, but lists all 1.1 million of them first, which takes 2 s. */
export const anyText = (bounds: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.string({ ...bounds, unit: ANY_CHARACTER });
