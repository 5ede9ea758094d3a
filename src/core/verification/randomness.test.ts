/** What must not be guessed comes from a cryptographic generator; Math.random spreads load and nothing else. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { mintKey } from '../accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../seams/random.ts';
import { drawCode } from './code.ts';

const DRAWS: Readonly<Record<string, () => string>> = {
  'a code of digits': () => drawCode(SYSTEM_RANDOM, { length: 10, alphabet: 'digits' }),
  'a code of letters': () => drawCode(SYSTEM_RANDOM, { length: 10, alphabet: 'letters' }),
  'an API key': () => mintKey(SYSTEM_RANDOM, false).key,
  'the id of an API key': () => mintKey(SYSTEM_RANDOM, false).id,
};

/** Of the files that use it: the jitter of retries, and the order of a route's carriers. */
const MAY_USE_IT = ['src/core/seams/random.ts', 'src/store/postgres/schema/migrate.ts'];

suite('Math.random', () => {
  for (const [what, draw] of Object.entries(DRAWS)) {
    test(`decides nothing of ${what}`, (t) => {
      const asked = t.mock.method(Math, 'random', () => 0.5);
      const drawn = new Set(Array.from({ length: 100 }, draw));
      assert.equal(drawn.size, 100);
      assert.equal(asked.mock.callCount(), 0);
    });
  }

  test('is used in the files listed here, and in no other', () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => `src/${file.replaceAll('\\', '/')}`)
      .filter((file) => /(?<!\.test)\.[jt]s$/.test(file))
      // Called or handed over: a comment may name it.
      .filter((file) =>
        /^(?!\s*(?:\/\/|\/?\*)).*\bMath\s*(?:\?\.|\.|\[\W*)\s*random\b/m.test(
          readFileSync(join(root, file), 'utf8'),
        ),
      );
    assert.deepEqual(files.sort(), MAY_USE_IT);
  });
});
