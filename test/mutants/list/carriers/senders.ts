import type { Mutant } from '../../mutant.ts';

const SENDERS = ['test/carriers/senders/senders.test.ts'];
const READING = ['test/carriers/http-receipts/reading.test.ts'];

/** Senders by country, registered texts, and receipts that the options describe. */
export const SENDERS_AND_RECEIPTS: readonly Mutant[] = [
  {
    breaks: 'a message comes from the sender of its country',
    file: 'src/carriers/sender-of.ts',
    from: 'return (country) => byCountry.get(country) ?? fallback;',
    to: 'return () => fallback;',
    tests: ['src/carriers/sender-of.test.ts'],
  },
  {
    breaks: 'a carrier has a sender for all countries',
    file: 'src/config/rules/sender-rules.ts',
    from: 'if (one !== undefined || standard !== undefined) return;',
    to: 'if (senders !== undefined || one !== undefined) return;',
    tests: SENDERS,
  },
  {
    breaks: 'nothing is added to a registered text',
    file: 'src/core/message/message.ts',
    from: "if (isRegistered) return substitute(own ?? '', options, facts, facts.code);",
    to: '',
    tests: ['src/core/message/registered.test.ts'],
  },
  {
    breaks: 'a carrier without fields for the ids of a registered text is refused',
    file: 'src/config/rules/registration-rules.ts',
    from: "if (options === undefined || registering?.of(options, country) !== 'no-fields') continue;",
    to: 'if (options === undefined || registering?.inAccount === undefined) continue;',
    tests: SENDERS,
  },
  {
    breaks: 'ids that SMPP 3.3 cannot carry are refused with the version that can',
    file: 'src/carriers/smpp/type.ts',
    from: "(country === 'IN' ? 'interfaceVersion: 0x34' : undefined)",
    to: '(country ? undefined : undefined)',
    tests: SENDERS,
  },
  {
    breaks: 'an SMSC is told the ids of a registered text',
    file: 'src/carriers/smpp/protocol/parameters.ts',
    from: 'if (registration === undefined) return usual;',
    to: 'if (registration !== undefined) return usual;',
    tests: SENDERS,
  },
  {
    breaks: 'a callback holds the secret of its gateway',
    file: 'src/carriers/http/receipts/proof.ts',
    from: 'return given !== undefined && areEqual(given, secret) ? GENUINE : undefined;',
    to: "return given !== undefined && given !== '' ? GENUINE : undefined;",
    tests: READING,
  },
  {
    breaks: 'a signature of a callback covers the fields that are read',
    file: 'src/carriers/http/receipts/faults.ts',
    from: 'if (!pieces.includes(needed)) {',
    to: 'if (pieces.length === 0) {',
    tests: READING,
  },
  {
    breaks: 'an old signed callback is refused',
    file: 'src/carriers/http/receipts/hmac.ts',
    from: 'if (timestamp !== undefined && !isFresh(inSeconds(time), TOLERANCE_S, now)) return false;',
    to: '',
    tests: READING,
  },
  {
    breaks: 'the address of one message proves nothing about another',
    file: 'src/carriers/http/receipts/receipts.ts',
    from: 'const reference = proven.reference ?? fieldAt(receipts.id);',
    to: "const reference = fieldAt('msgid') ?? fieldAt(receipts.id);",
    tests: READING,
  },
];
