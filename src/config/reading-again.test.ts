/** What a running service takes from its file, and what only from a start. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findProblem, loadConfig, loadText } from './fixture.ts';
import type { Config } from './table/schema.ts';

const HELD = 'guard: { countries: [DE] }';
/** What a full disk leaves, and a file that was cut short. */
const EMPTY = ['', '\n', '\ufeff'];
/** A template, and what says so. */
const WITHOUT_OPTIONS = [
  '# guard: { countries: [DE] }\n',
  '---\n',
  '{}',
  'guard:\n',
  'guard: {}\ncarriers:\n',
];

function fileOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'countersign.yaml');
}

function read(file: string, before?: Config): Config {
  return loadConfig({ COUNTERSIGN_CONFIG: file }, before?.given);
}

test('a file that holds nothing starts no service; one that sets nothing does', (t) => {
  const file = fileOf(t);
  for (const text of EMPTY) {
    writeFileSync(file, text);
    assert.throws(
      () => read(file),
      /countersign\.yaml: the file is empty; .*`\{\}` says that there are none$/,
    );
  }
  for (const text of WITHOUT_OPTIONS) assert.equal(loadText(text).port, 8443);
  assert.match(findProblem('- a'), /holds no options/);
});

test('a running service takes no file that holds no options any more, or is gone', (t) => {
  const file = fileOf(t);
  writeFileSync(file, HELD);
  const before = read(file);
  for (const text of WITHOUT_OPTIONS) {
    writeFileSync(file, text);
    assert.throws(
      () => read(file, before),
      /countersign\.yaml: holds no options any more; .* if you want the defaults, restart the service$/,
    );
    assert.deepEqual(read(file).guard.countries, [], 'a start takes it');
  }
  for (const text of EMPTY) {
    writeFileSync(file, text);
    assert.throws(() => read(file, before), /the file is empty/);
  }
  rmSync(file);
  assert.throws(() => read(file, before), /cannot be read \(ENOENT\)/);
  writeFileSync(file, HELD);
  assert.deepEqual(read(file, before).guard.countries, ['DE']);
});

test('a service that started without options goes on without them', (t) => {
  const file = fileOf(t);
  writeFileSync(file, 'carriers:\n');
  const before = read(file);
  assert.equal(before.given.hasOptions, false);
  writeFileSync(file, '{}');
  assert.equal(read(file, before).port, 8443);
  writeFileSync(file, HELD);
  const after = read(file, before);
  assert.deepEqual([after.given.hasOptions, after.guard.countries], [true, ['DE']]);
});

test('the same paths are read again, though the working directory is another one', (t) => {
  const file = fileOf(t);
  const folder = join(file, '..');
  const own = process.cwd();
  t.after(() => process.chdir(own));
  const load = (before?: Config) => loadConfig({}, before?.given);
  writeFileSync(join(folder, 'token'), 'a-token-of-the-metrics-page-that-is-long');
  writeFileSync(file, 'metrics: { tokenFile: token }');
  process.chdir(folder);
  const before = load();
  mkdirSync(join(folder, 'elsewhere'));
  process.chdir(join(folder, 'elsewhere'));
  rmSync(join(folder, 'elsewhere'), { recursive: true });
  const again = load(before);
  assert.deepEqual([again.metrics, again.given], [before.metrics, before.given]);
  rmSync(file);
  assert.throws(() => load(before), /^ConfigError: \.\/countersign\.yaml: is gone; /);
});
