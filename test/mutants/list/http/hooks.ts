/** What hooks promise: who may have codes sent by them, and how often. */
import type { Mutant } from '../../mutant.ts';

const PROOF = ['src/http/hooks/proof.test.ts'];
const HOOKS = ['src/http/hooks/hooks.test.ts'];

export const HOOK_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a signed hook is recent',
    file: 'src/http/hooks/proof.ts',
    from: "return isRecent ? undefined : 'wrong time';",
    to: "return isRecent || now > 0 ? undefined : 'wrong time';",
    tests: PROOF,
  },
  {
    breaks: 'the signature of a hook is made with its secret, over its body',
    file: 'src/http/hooks/proof.ts',
    from: 'given.some((one) => areEqual(one, right))',
    to: 'given.some((one) => one.length === right.length)',
    tests: PROOF,
  },
  {
    breaks: 'only the key of the hook has codes sent by it',
    file: 'src/http/hooks/proof.ts',
    from: "return areEqual(given, key) ? undefined : 'wrong proof';",
    to: "return given.startsWith('csk_') || areEqual(given, key) ? undefined : 'wrong proof';",
    tests: PROOF,
  },
  {
    breaks: 'a hook is refused before its body is looked at',
    file: 'src/http/hooks/index.ts',
    from: 'if (reason !== undefined) {',
    to: "if (reason === 'no proof') {",
    tests: ['test/hooks/systems.test.ts'],
    named: 'nobody else',
  },
  {
    breaks: 'a repetition is found by what its system keeps',
    file: 'src/http/hooks/index.ts',
    from: `\\0\${channel}\\0\${wanted.repetition}\`;`,
    to: `\\0\${channel}\\0\${Date.now()}\`;`,
    tests: HOOKS,
  },
  {
    breaks: 'those that come while the first is under way share its answer',
    file: 'src/http/hooks/index.ts',
    from: 'if (first !== undefined) return first;',
    to: '',
    tests: HOOKS,
  },
  {
    breaks: 'a person who asks once more is sent the same code again',
    file: 'src/http/hooks/systems.ts',
    from: 'repetitionMs: RETRIED_WITHIN_MS }',
    to: 'repetitionMs: undefined }',
    tests: HOOKS,
  },
  {
    breaks: 'a system that names its messages is believed as long as any client',
    file: 'src/http/hooks/systems.ts',
    from: 'repetition: id, repetitionMs: undefined }',
    to: 'repetition: id, repetitionMs: RETRIED_WITHIN_MS }',
    tests: HOOKS,
  },
  {
    breaks: 'an old event of Clerk sends nothing',
    file: 'src/http/hooks/systems.ts',
    from: "if (typeof timestamp === 'number' && now - timestamp > CLERK_USEFUL_MS) return true;",
    to: '',
    tests: HOOKS,
  },
  {
    breaks: 'the language of the hook counts more than that of its system',
    file: 'src/http/hooks/index.ts',
    from: 'options.locale ?? wanted.locale',
    to: 'wanted.locale ?? options.locale',
    tests: ['src/http/hooks/hooks.test.ts'],
    named: 'what the hook says',
  },
  {
    breaks: 'the channel of the hook counts more than that of its system',
    file: 'src/http/hooks/index.ts',
    from: 'options.channel ?? wanted.channel',
    to: 'wanted.channel ?? options.channel',
    tests: ['src/http/hooks/hooks.test.ts'],
    named: 'what the hook says',
  },
  {
    breaks: 'a field that is wrong is not passed over',
    file: 'src/http/hooks/payload.ts',
    from: "if (read.ok || read.fault.code !== 'missing')",
    to: 'if (read.ok)',
    tests: ['src/http/hooks/payload.test.ts'],
  },
  {
    breaks: 'Supabase is told to try again while the first is under way',
    file: 'src/http/hooks/outcomes.ts',
    from: "refusal.name === 'forged-hook' || status === 503",
    to: "refusal.name === 'forged-hook'",
    tests: ['src/http/hooks/hooks.test.ts'],
    named: 'Supabase shows',
  },
  {
    breaks: 'a hook that sends over a channel that no route serves refuses to start',
    file: 'src/config/rules/hook-rules.ts',
    from: 'if (channel === undefined || offered.includes(channel)) continue;',
    to: 'if (offered.length > 0) continue;',
    tests: ['src/config/hooks.test.ts'],
  },
];
