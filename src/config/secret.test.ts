import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { findProblem, loadText } from './fixture.ts';
import { findWeakness } from './rules/secret-strength.ts';
import { ensureSecret, secretFile } from './secret.ts';

const STRONG = 'e81f5c0a97d3264bb0c2f7716d94a53e';

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-secret-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a secret is made once, strong, readable only by its owner, and leaves no other file', (t) => {
  const folder = join(createFolder(t), 'data');
  const secret = ensureSecret(folder);
  assert.equal(findWeakness(secret), undefined);
  assert.equal(ensureSecret(folder), secret);
  assert.deepEqual(readdirSync(folder), ['secret']);
  assert.equal(statSync(secretFile(folder)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700, 'nor does anybody else see what is there');
});

test('many processes that start at once all use the same secret', async (t) => {
  const folder = createFolder(t);
  const url = new URL('./secret.ts', import.meta.url);
  // They all wait for the same moment, so that none finds a finished secret.
  const script = `import { ensureSecret } from '${url}';
    const at = Number(process.argv[1]); while (Date.now() < at);
    for (let round = 0; round < 50; round++) console.log(ensureSecret('${folder}/' + round));`;
  const at = String(Date.now() + 1_500);
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, at]);
  const [first, ...others] = await Promise.all(Array.from({ length: 4 }, run));
  for (const { stdout } of others) assert.equal(stdout, first?.stdout);
  const kept = Array.from({ length: 50 }, (_, round) =>
    readFileSync(join(folder, String(round), 'secret'), 'utf8'),
  );
  assert.equal(kept.join(''), first?.stdout);
});

test('a secret in the data folder that could be guessed, or that others can read, is refused', (t) => {
  const dataDir = createFolder(t);
  const file = secretFile(dataDir);
  const found = () => findProblem('', { DATA_DIR: dataDir });
  for (const [text, wrong] of [
    ['', /has 0 characters; restore your copy .* remove the file/],
    ['hunter2\n', /has 7 characters/],
    ['a'.repeat(64), /too few different characters/],
  ] as const) {
    writeFileSync(file, text, { mode: 0o600 });
    assert.ok(found().startsWith(`${file}: `));
    assert.match(found(), wrong);
    assert.doesNotMatch(found(), /hunter2/);
  }
  writeFileSync(file, STRONG);
  loadText('', { DATA_DIR: dataDir });
  // The service made it, so one that may not be written is not a mounted one.
  for (const mode of [0o644, 0o604, 0o602, 0o444, 0o404]) {
    chmodSync(file, mode);
    assert.match(found(), /can be read by every user of this machine \(mode [64]\d\d\); chmod 600/);
  }
  chmodSync(file, 0o640);
  loadText('', { DATA_DIR: dataDir });
  rmSync(file);
  mkdirSync(file);
  assert.match(found(), /cannot be read \(EISDIR\)/);
});

test('it does not matter if the configuration sets a secret', (t) => {
  const dataDir = createFolder(t);
  writeFileSync(secretFile(dataDir), '');
  loadText('', { DATA_DIR: dataDir, SECRET: STRONG });
});

test('a named file must be readable only by its owner, unless it is mounted read-only or for another user', (t) => {
  const file = join(createFolder(t), 'named');
  writeFileSync(file, STRONG);
  const wrong = /^secretFile: can be read by every user of this machine \(mode 644\); chmod 600/;
  chmodSync(file, 0o644);
  assert.match(findProblem('', { SECRET_FILE: file }), wrong);
  assert.match(findProblem(`secretFile: ${file}`), wrong);
  assert.match(
    findProblem(`secret: 5b0d9e3f61a8c7240fe97b12d6a4c835\npreviousSecretFile: ${file}`),
    /^previousSecretFile: can be read/,
  );
  // Kubernetes with fsGroup, Docker and create-secrets.sh, and a private file.
  for (const mode of [0o440, 0o444, 0o600, 0o400]) {
    chmodSync(file, mode);
    const { secret, exposed } = loadText('', { SECRET_FILE: file });
    assert.equal(secret, STRONG);
    const told = 'can be read by every user of this machine (mode 444)';
    assert.deepEqual(exposed, mode === 0o444 ? [{ key: 'secretFile', wrong: told }] : []);
  }
  chmodSync(file, 0o646);
  assert.match(findProblem('', { SECRET_FILE: file }), /mode 646/);
  const uid = process.getuid?.() ?? 0;
  t.mock.property(process, 'getuid', () => uid + 1);
  chmodSync(file, 0o644);
  const { secret, exposed } = loadText('', { SECRET_FILE: file });
  assert.deepEqual([secret, exposed], [STRONG, []], 'another owner’s');
});

test('a weak secret is refused wherever it comes from, and so is a weak previous one', () => {
  const weak = 'a'.repeat(40);
  assert.match(findProblem(`secret: ${weak}`), /^secret: has too few different/);
  assert.match(findProblem('', { SECRET: weak }), /^secret: has too few different/);
  assert.match(findProblem('', { SECRET: 'changeme' }), /^secret: is not valid \(text of 8 characters\)/);
  assert.match(findProblem(`secret: ${STRONG}\npreviousSecret: ${weak}`), /^previousSecret: has too few/);
});
