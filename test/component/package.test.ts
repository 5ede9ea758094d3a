/** The element's package as a user installs it: small, typed, without dependencies, and harmless on a server. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import manifest from '../../component/package.json' with { type: 'json' };
import project from '../../package.json' with { type: 'json' };
import { ROOT } from '../deploy/project.ts';

const MOST_BYTES = 25 * 2 ** 10;

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-component-'));
after(() => rmSync(folder, { recursive: true }));
const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8' });

const [packed] = JSON.parse(
  npm(join(ROOT, 'component'), 'pack', '--silent', '--json', '--pack-destination', folder),
);
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
npm(folder, 'install', `./${packed.filename}`, '--offline', '--no-audit', '--no-fund');
const installation = join(folder, 'node_modules/@countersign/verify-element');

test('the package is small, and its parts are there', () => {
  assert.ok(packed.size < MOST_BYTES, `${packed.size} bytes`);
  for (const { types, default: code } of Object.values(manifest.exports)) {
    for (const path of [types, code]) assert.ok(existsSync(join(installation, path)), path);
  }
  assert.ok(existsSync(join(installation, 'README.md')));
  assert.equal(manifest.version, project.version);
  assert.ok(!('dependencies' in manifest));
});

test('a browser can load it as it is: every import is a file of its own', () => {
  const files = globSync('dist/**/*.js', { cwd: installation });
  assert.ok(files.length > 10);
  for (const file of files) {
    const code = readFileSync(join(installation, file), 'utf8');
    assert.doesNotMatch(code, /\beval\b|new Function|innerHTML|\.style\b/, file);
    for (const [, name = ''] of code.matchAll(/(?:from |import\(?)'([^']+)'/g))
      assert.ok(existsSync(join(installation, file, '..', name)), `${file}: ${name}`);
  }
});

test('a server may import what defines it, and its types serve a strict project', async () => {
  await import(join(installation, 'dist/define.js'));
  writeFileSync(
    join(folder, 'consumer.ts'),
    `import '@countersign/verify-element/define';
     import { type CountersignVerify, define } from '@countersign/verify-element';
     define();
     const element: CountersignVerify = document.createElement('countersign-verify');
     element.addEventListener('countersign-confirmed', ({ detail }) => detail.destination.trim());
     document.addEventListener('countersign-error', ({ detail: { reason } }) => reason === 'expired' && element.reset());
     // @ts-expect-error: no event has the code.
     element.addEventListener('countersign-sent', ({ detail }) => detail.code);`,
  );
  const compilerOptions = {
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] },
    ...{ types: [], strict: true, noEmit: true },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    assert.fail(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error));
  }
});
