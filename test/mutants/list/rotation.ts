/** What the sweep writes again under a new secret, before the one of before is gone. */
import type { Mutant } from '../mutant.ts';

const STORES = ['test/store/sqlite.test.ts', 'test/store/postgres/contract.test.ts'];
const ROTATED = 'while a secret is rotated';

export const ROTATION: readonly Mutant[] = [
  {
    breaks: 'numbers are hashed again',
    file: 'src/portal/sweep.ts',
    from: 'await rehashNumbers({ records, keyring });',
    to: '{ hashed: 0, lost: 0 };',
    tests: ['test/portal/rotation.test.ts'],
  },
  {
    breaks: 'rules are hashed again',
    file: 'src/portal/sweep.ts',
    from: 'await rehashGuardRules({ records, keyring });',
    to: '{ hashed: 0, lost: 0 };',
    tests: ['test/portal/rotation.test.ts'],
  },
  {
    breaks: 'webhooks are sealed again',
    file: 'src/portal/sweep.ts',
    from: 'await resealWebhooks(records, keyring);',
    to: '{ sealed: 0, lost: 0 };',
    tests: ['test/portal/rotation.test.ts'],
  },
  {
    breaks: 'alert webhooks are sealed again',
    file: 'src/portal/sweep.ts',
    from: 'await resealAlertWebhooks(records, keyring);',
    to: '{ sealed: 0, lost: 0 };',
    tests: ['test/portal/rotation.test.ts'],
  },
  {
    breaks: 'a code of the secret before ends those of its number under the secret of now',
    file: 'src/core/verification/by-number/number-hashes.ts',
    from: 'if (!keyring.isRotating) return undefined;',
    to: 'return undefined;',
    tests: STORES,
    named: ROTATED,
  },
  {
    breaks: 'the service itself has the hashes of both secrets',
    file: 'src/assembly.ts',
    from: 'createFindNumberHashes(keyring, store)',
    to: '(createFindNumberHashes, async () => undefined)',
    tests: ['test/twilio/rotation.test.ts'],
  },
  {
    breaks: 'it ends them also where the client approves it (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/confirm-by-number.sql',
    from: ', number_hashes) AS hashes',
    to: ') AS hashes',
    tests: STORES,
    named: ROTATED,
  },
  {
    breaks: 'it ends them also where the client approves it (SQLite)',
    file: 'src/store/sqlite/verifications/by-number.ts',
    from: 'earlierHashes(hash, numberHashes,',
    to: 'earlierHashes(hash, undefined,',
    tests: STORES,
    named: ROTATED,
  },
  {
    breaks: 'a wrong guess at a code of now counts at one of the secret before',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: '[hash, ...ofRow]',
    to: '[hash]',
    tests: STORES,
    named: ROTATED,
  },
  {
    breaks: 'a wrong guess that is written under two hashes counts once',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: "count(DISTINCT verification_id || ' ' || guesses_left)",
    to: 'count(*)',
    tests: STORES,
    named: ROTATED,
  },
  {
    breaks: 'a code of the secret before, if right, clears the wrong guesses of the number (SQLite)',
    file: 'src/store/sqlite/verifications/by-number.ts',
    from: 'earlier.length === 0 ? undefined : [hash, ...earlier]',
    to: 'undefined',
    tests: STORES,
    named: ROTATED,
  },
  {
    breaks: 'a code of the secret before, if right, clears the wrong guesses of the number (PostgreSQL)',
    file: 'src/store/postgres/schema/functions/confirm.sql',
    from: 'CASE WHEN judged.confirmed THEN string_to_array(',
    to: 'CASE WHEN false THEN string_to_array(',
    tests: STORES,
    named: ROTATED,
  },
];
