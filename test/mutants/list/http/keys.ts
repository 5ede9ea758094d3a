/** Which keys are good, for whom, and for how long. */
import type { Mutant } from '../../mutant.ts';

const AUTHENTICATOR = ['src/http/admission/authenticator.test.ts'];

export const KEYS: readonly Mutant[] = [
  {
    breaks: 'a key looked up before a revocation is not remembered after it',
    file: 'src/http/admission/authenticator.ts',
    from: 'if (begun === generation && revision !== undefined)',
    to: 'if (revision !== undefined)',
    tests: AUTHENTICATOR,
  },
  {
    breaks: 'a key expires on time',
    file: 'src/http/admission/authenticator.ts',
    from: "if (key.expiresAt <= now) return 'expired';",
    to: '',
    tests: AUTHENTICATOR,
  },
  {
    breaks: 'a key works only from its addresses',
    file: 'src/http/admission/authenticator.ts',
    from: "if (key.isAllowedFrom !== undefined && !key.isAllowedFrom(address)) return 'wrong-source';",
    to: '',
    tests: AUTHENTICATOR,
  },
  {
    breaks: 'nobody speaks Twilio to an account that did not turn it on',
    file: 'src/http/twilio/credentials.ts',
    from: 'if (identified.settings?.twilio === true) done();',
    to: 'if (identified.accountId !== "") done();',
    tests: ['src/http/twilio/twilio.test.ts'],
  },
  {
    breaks: 'a key ends at its ms',
    file: 'src/http/admission/authenticator.ts',
    from: 'key.expiresAt <= now',
    to: 'key.expiresAt < now',
    tests: AUTHENTICATOR,
  },
  {
    breaks: 'keys are not trusted while the store does not say whether any changed',
    file: 'src/http/admission/authenticator.ts',
    from: 'if (polls > 1) distrust();',
    to: '',
    tests: AUTHENTICATOR,
  },
  {
    breaks: 'a lookup that began before a revocation is not shared after it',
    file: 'src/http/admission/authenticator.ts',
    from: 'cache.clear();\n    lookups.clear();',
    to: 'cache.clear();',
    tests: AUTHENTICATOR,
  },
  {
    breaks: 'a key that is revoked already is not revoked again',
    file: 'src/http/admission/authenticator.ts',
    from: 'if (key === undefined || key.revokedAt !== null) return false;',
    to: 'if (key === undefined) return false;',
    tests: AUTHENTICATOR,
  },
  {
    breaks: 'a key that is restricted only to countries is restricted',
    file: 'src/http/admission/authenticator.ts',
    from: `channels.length > 0 || countries.length > 0;`,
    to: `channels.length > 0;`,
    tests: ['test/portal/keys.test.ts'],
  },
  {
    breaks: 'of two uses of a key the later is written',
    file: 'src/http/admission/authenticator.ts',
    from: 'usedAt > (uses.get(id)?.at ?? 0)',
    to: '!uses.has(id)',
    tests: ['src/http/admission/authenticator.test.ts'],
  },
  {
    breaks: 'the uses of the time in which a write failed are kept',
    file: 'src/http/admission/authenticator.ts',
    from: 'used = noted.union(used);',
    to: 'used = noted;',
    tests: ['src/http/admission/authenticator.test.ts'],
  },
  {
    breaks: 'a repetition over the facade of Twilio is found by its Idempotency-Key',
    file: 'src/http/twilio/operations.ts',
    from: 'destination, channel, idempotencyKey, metadata',
    to: 'destination, channel, metadata',
    tests: ['src/http/twilio/twilio.test.ts'],
  },
  {
    breaks: 'a check over the facade of Twilio is one of the number that it names',
    file: 'src/http/twilio/operations.ts',
    from: 'to === undefined && sid !== undefined',
    to: 'sid !== undefined',
    tests: ['src/http/twilio/twilio.test.ts'],
  },
  {
    breaks: 'an SMS has no extension over the facade of Twilio',
    file: 'src/http/twilio/operations.ts',
    from: "channel === 'voice' ? fieldOf(form, 'SendDigits') : undefined",
    to: "fieldOf(form, 'SendDigits')",
    tests: ['src/http/twilio/twilio.test.ts'],
  },
  {
    breaks: "a country that is not allowed has its number at Twilio's facade",
    file: 'src/http/twilio/outcomes.ts',
    from: '  country_not_allowed: 60605,\n',
    to: '',
    tests: ['src/http/twilio/twilio.test.ts'],
  },
];
