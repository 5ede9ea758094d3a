import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FIELD_ERROR_CODES } from './field-error.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('docs/api.md lists every code with its meaning, and no other', () => {
  const [, section = ''] = read('docs/api.md').split('## Codes of invalid fields');
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].slice(1);
  assert.deepEqual(
    rows.map(([, code, meaning]) => [code, meaning]),
    Object.entries(FIELD_ERROR_CODES),
  );
});

// A code that nothing uses would be a promise that nobody keeps.
test('every code is used', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter(
    (path) => !path.endsWith('.test.ts') && !path.includes('field-error'),
  );
  const source = files.map(read).join('\n');
  for (const code of Object.keys(FIELD_ERROR_CODES)) assert.ok(source.includes(`'${code}'`), code);
});
