import type { Mutant } from '../mutant.ts';

const STRENGTH = ['src/config/rules/secret-strength.test.ts'];
const SECRET = ['src/config/secret.test.ts'];

export const CONFIG: readonly Mutant[] = [
  {
    breaks: 'a secret is long',
    file: 'src/config/rules/secret-strength.ts',
    from: 'secret.length < LEAST_LENGTH',
    to: 'secret.length < LEAST_LENGTH - 1',
    tests: STRENGTH,
  },
  {
    breaks: 'a placeholder is not accepted as a secret',
    file: 'src/config/rules/secret-strength.ts',
    from: "if (PLACEHOLDER.test(secret)) return 'is a placeholder that anyone can guess';",
    to: '',
    tests: STRENGTH,
  },
  {
    breaks: 'a text of few different characters is not accepted as a secret',
    file: 'src/config/rules/secret-strength.ts',
    from: 'new Set(secret).size < LEAST_DISTINCT',
    to: "secret === ''",
    tests: STRENGTH,
  },
  {
    breaks: 'a text that repeats itself is not accepted as a secret',
    file: 'src/config/rules/secret-strength.ts',
    from: "if (repeatsItself(secret)) return 'repeats itself';",
    to: '',
    tests: STRENGTH,
  },
  {
    breaks: 'a text that is its first half twice counts as repeating itself',
    file: 'src/config/rules/secret-strength.ts',
    from: 'period <= half',
    to: 'period < half',
    tests: STRENGTH,
  },
  {
    breaks: 'a sequence is not accepted as a secret',
    file: 'src/config/rules/secret-strength.ts',
    from: "if (isSequence(secret)) return 'is a sequence of consecutive characters';",
    to: '',
    tests: STRENGTH,
  },
  {
    breaks: 'only the owner may read a secret',
    file: 'src/config/secret.ts',
    from: 'mode: 0o600',
    to: 'mode: 0o644',
    tests: SECRET,
  },
  {
    breaks: 'a secret file that others may write is refused',
    file: 'src/config/secret.ts',
    from: 'const OTHERS = 0o006;',
    to: 'const OTHERS = 0o004;',
    tests: SECRET,
  },
  {
    breaks: 'a secret file that others may read is refused',
    file: 'src/config/secret.ts',
    from: 'const OTHERS = 0o006;',
    to: 'const OTHERS = 0o002;',
    tests: SECRET,
  },
  {
    breaks: 'a secret file that another user owns is accepted',
    file: 'src/config/secret.ts',
    from: 'process.getuid?.() !== uid || ',
    to: 'uid < 0 || ',
    tests: SECRET,
  },
  {
    breaks: 'processes that make a secret at the same time all use the same one',
    file: 'src/config/secret.ts',
    from: "if (codeOf(error) !== 'EEXIST') throw error;",
    to: 'throw error;',
    tests: SECRET,
  },
  {
    breaks: 'a secret from the data folder that can be guessed is refused',
    file: 'src/config/secret.ts',
    from: 'if (weakness === undefined) return findExposure(secretFile(dataDir));',
    to: 'if (weakness !== null) return findExposure(secretFile(dataDir));',
    tests: SECRET,
  },
  {
    breaks: 'a previous secret that everybody can read is refused',
    file: 'src/config/load.ts',
    from: "new Set(['secretFile', 'previousSecretFile'])",
    to: "new Set(['secretFile'])",
    tests: ['src/config/secret.test.ts'],
  },
  {
    breaks: 'a host whose name begins like the loopback network is not this machine',
    file: 'src/config/rules/loopback.ts',
    from: "(isIP(hostname) === 4 && hostname.startsWith('127.'))",
    to: "hostname.startsWith('127.')",
    tests: ['src/config/rules/rules.test.ts'],
  },
  {
    breaks: 'no address of Entra ID that admits every tenant is accepted',
    file: 'src/config/rules/portal-rules.ts',
    from: '(common|organizations|consumers)',
    to: '(common|organizations)',
    tests: ['src/config/rules/portal-rules.test.ts'],
  },
];
