import type { Mutant } from '../mutant.ts';

const DROPS = ['src/carriers/smpp/drops.test.ts'];
const RECEIPT = ['src/carriers/smpp/protocol/receipt.test.ts'];
const VOICES = ['test/carriers/voices/voices.test.ts'];

export const CARRIERS: readonly Mutant[] = [
  {
    breaks: 'a receipt from Twilio is signed',
    file: 'src/carriers/twilio/receipt.ts',
    from: "if (!isSigned(callback, fields, authToken)) return { kind: 'forged' };",
    to: '',
    tests: ['test/carriers/twilio.test.ts'],
  },
  {
    breaks: "the signature of Twilio's receipt covers its body",
    file: 'src/carriers/twilio/receipt.ts',
    from: "const signed = digest === null ? joinFields(fields) : '';",
    to: "const signed = '';",
    tests: ['test/carriers/twilio.test.ts'],
  },
  {
    breaks: 'an old signed receipt is refused as a replay',
    file: 'src/carriers/gateway/signature.ts',
    from: 'return Math.abs(now / 1_000 - Number(seconds)) <= toleranceS;',
    to: 'return now > 0 && toleranceS > 0;',
    tests: ['test/carriers/telnyx.test.ts'],
  },
  {
    breaks: 'a message at which the link dropped twice is sent by itself',
    file: 'src/carriers/smpp/drops.ts',
    from: 'const SUSPECT_AFTER = 2;',
    to: 'const SUSPECT_AFTER = 3;',
    tests: DROPS,
  },
  {
    breaks: 'the number of remembered suspects is bounded',
    file: 'src/carriers/smpp/drops.ts',
    from: 'if (noted.expiresAt > now && this.#noted.size < MOST) break;',
    to: 'if (noted.expiresAt > now) break;',
    tests: DROPS,
  },
  {
    breaks: 'a suspect whose code has expired is forgotten',
    file: 'src/carriers/smpp/drops.ts',
    from: 'if (noted.expiresAt > now && this.#noted.size < MOST) break;',
    to: 'if (this.#noted.size < MOST) break;',
    tests: DROPS,
  },
  {
    breaks: 'a message from a telephone is not taken for a receipt',
    file: 'src/carriers/smpp/protocol/receipt.ts',
    from: '(unmarked && RECEIPT_TEXT.test(written))',
    to: 'RECEIPT_TEXT.test(written)',
    tests: RECEIPT,
  },
  {
    breaks: 'our own address is not the recipient of a receipt',
    file: 'src/carriers/smpp/protocol/receipt.ts',
    from: '.filter((number) => number !== own)',
    to: '.filter(() => own !== null)',
    tests: RECEIPT,
  },
  {
    breaks: 'the recipient of a receipt may be in its destination',
    file: 'src/carriers/smpp/protocol/receipt.ts',
    from: '[message.source, message.destination]',
    to: '[message.source]',
    tests: RECEIPT,
  },
  {
    breaks: 'a national number is not read as an international one',
    file: 'src/carriers/smpp/protocol/receipt.ts',
    from: "ton === INTERNATIONAL ? digits : ''",
    to: 'ton === INTERNATIONAL ? digits : digits',
    tests: RECEIPT,
  },
  {
    breaks: 'the text that a receipt quotes from the message is not read as a result',
    file: 'src/carriers/smpp/protocol/receipt.ts',
    from: 'text.split(/\\btext:/i, 1)',
    to: '[text]',
    tests: RECEIPT,
  },
  {
    breaks: 'without the fallback no English is spoken',
    file: 'src/carriers/gateway/speech.ts',
    from: 'if (!englishFallback || english === undefined) {',
    to: 'if (english === undefined) {',
    tests: VOICES,
  },
  {
    breaks: 'an English voice speaks English words',
    file: 'src/carriers/gateway/speech.ts',
    from: 'make({ ...message, text: english, locale: DEFAULT_LOCALE }, voices[DEFAULT_LOCALE])',
    to: 'make({ ...message, locale: DEFAULT_LOCALE }, voices[DEFAULT_LOCALE])',
    tests: VOICES,
  },
  {
    breaks: 'a language without a voice is reported as spoken in English only if it is',
    file: 'src/carriers/gateway/speech.ts',
    from: "return englishFallback ? 'in-english' : 'not-at-all';",
    to: "return englishFallback === undefined ? 'not-at-all' : 'in-english';",
    tests: VOICES,
  },
];
