import type { Mutant } from '../mutant.ts';

const RANDOMNESS = ['src/core/randomness.test.ts'];
const KEYRING = ['src/core/keyring.test.ts'];
const TELEPHONE = ['src/core/destination/telephone.test.ts'];
const SEALED_FIELD = ['src/core/sealed-field.test.ts'];
const NAMES = ['src/core/name.test.ts'];

export const CORE: readonly Mutant[] = [
  {
    breaks: 'codes come from a cryptographic generator',
    file: 'src/core/code.ts',
    from: 'symbols[randomInt(symbols.length)]',
    to: 'symbols[Math.floor(Math.random() * symbols.length)]',
    tests: RANDOMNESS,
  },
  {
    breaks: 'keys come from a cryptographic generator',
    file: 'src/core/api-key-format.ts',
    from: 'DIGITS[randomInt(DIGITS.length)]',
    to: 'DIGITS[Math.floor(Math.random() * DIGITS.length)]',
    tests: RANDOMNESS,
  },
  {
    breaks: 'a seal that was altered is not opened',
    file: 'src/core/keyring.ts',
    from: 'if (found.length !== expected.length || !timingSafeEqual(found, expected)) {',
    to: 'if (found.length !== expected.length) {',
    tests: KEYRING,
  },
  {
    breaks: 'a seal is bound to its place',
    file: 'src/core/keyring.ts',
    from: '{context}\\0',
    to: "{''}\\0",
    tests: KEYRING,
  },
  {
    breaks: 'the MAC of a code is bound to its verification',
    file: 'src/core/keyring.ts',
    from: '{id}\\0',
    to: "{''}\\0",
    tests: KEYRING,
  },
  {
    breaks: 'the same number of two accounts has two hashes',
    file: 'src/core/keyring.ts',
    from: '{accountId}\\0',
    to: "{''}\\0",
    tests: KEYRING,
  },
  {
    breaks: 'a place of yesterday is not given back to today',
    file: 'src/core/daily-cap.ts',
    from: 'if (place !== this.#day) return;',
    to: '',
    tests: ['src/core/daily-cap.test.ts'],
  },
  {
    breaks: 'an extension is no other telephone',
    file: 'src/core/destination/telephone.ts',
    from: 'if (number !== undefined) return number;',
    to: '',
    tests: TELEPHONE,
  },
  {
    breaks: 'a port is no other telephone',
    file: 'src/core/destination/telephone.ts',
    from: '([^@]+@[^:]+)',
    to: '([^@]+@.+)',
    tests: TELEPHONE,
  },
  {
    breaks: 'the case of a user is no other telephone',
    file: 'src/core/destination/telephone.ts',
    from: 'userAndHost.toLowerCase()',
    to: 'userAndHost',
    tests: TELEPHONE,
  },
  {
    breaks: 'limits count telephones, not spellings',
    file: 'src/core/keyring.ts',
    from: '{telephoneOf(address)}',
    to: '{address}',
    tests: KEYRING,
  },
  {
    breaks: 'a receipt for a telephone is known in every spelling',
    file: 'src/core/keyring.ts',
    from: "('recipients', telephoneOf(address))",
    to: "('recipients', address)",
    tests: KEYRING,
  },
  {
    breaks: 'what test keys send counts against no limit of live ones',
    file: 'src/core/keyring.ts',
    from: "{test ? 'test' : 'live'}\\0",
    to: "{''}\\0",
    tests: KEYRING,
  },
  {
    breaks: 'a sealed field is bound to its column',
    file: 'src/core/sealed-field.ts',
    from: '{field}`;',
    to: '{typeof field}`;',
    tests: SEALED_FIELD,
  },
  {
    breaks: 'what earlier versions sealed still opens',
    file: 'src/core/sealed-field.ts',
    from: 'return keyring.open(sealed, id);',
    to: "throw new Error('not sealed here');",
    tests: SEALED_FIELD,
  },
  {
    breaks: 'a name has nothing in it that cannot be seen',
    file: 'src/core/name.ts',
    from: '\\\\p{Default_Ignorable_Code_Point}',
    to: '',
    tests: NAMES,
  },
  {
    breaks: 'a name does not turn the text around it',
    file: 'src/core/name.ts',
    from: '\\\\p{Cf}',
    to: '',
    tests: NAMES,
  },
  {
    breaks: 'a name has something in it that can be seen',
    file: 'src/core/name.ts',
    from: '(?=.*[$',
    to: '(?=.*|[$',
    tests: NAMES,
  },
  {
    breaks: 'an address of mail has nothing in it that cannot be seen',
    file: 'src/core/name.ts',
    from: '{UNSEEN}]+@[^',
    to: '{JOINING}]+@[^',
    tests: NAMES,
  },
  {
    breaks: 'what the store gave for another day is not of today',
    file: 'src/core/daily-cap.ts',
    from: 'if (isToday) this.#left = Math.max(0, free);',
    to: 'this.#left = Math.max(0, free);',
    tests: ['src/core/daily-cap.test.ts'],
  },
  {
    breaks: 'a cap that is used up is asked for again on a new day',
    file: 'src/core/daily-cap.ts',
    from: 'this.#usedUpUntil = 0;\n  }',
    to: '}',
    tests: ['src/core/daily-cap.test.ts'],
  },
];
