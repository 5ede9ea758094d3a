import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const FOLDER = import.meta.dirname;
const STYLES = fileURLToPath(new URL('.', import.meta.resolve('@mantine/core/styles/global.css')));

test('every component of Mantine that a page uses has its styles', () => {
  const used = globSync('**/*.tsx', { cwd: FOLDER }).flatMap((file) => {
    const [, names = ''] =
      /import \{([^}]*)\} from '@mantine\/core'/.exec(readFileSync(join(FOLDER, file), 'utf8')) ?? [];
    return names.split(',').map((name) => name.trim());
  });
  const imported = readFileSync(join(FOLDER, 'styles.ts'), 'utf8');
  const missing = [...new Set(used)].filter(
    (name) =>
      name !== '' && existsSync(join(STYLES, `${name}.css`)) && !imported.includes(`styles/${name}.css'`),
  );
  assert.deepEqual(missing, []);
});
