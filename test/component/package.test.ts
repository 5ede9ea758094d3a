/** The element's package as a user installs it: small, typed, without dependencies, and harmless on a server. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import manifest from '../../component/package.json' with { type: 'json' };
import project from '../../package.json' with { type: 'json' };
import { assertCompiles, installPackage } from '../installed.ts';

/** Of what a page loads, compressed; and of the package, with its types and documents. */
const [MOST_LOADED, MOST_BYTES] = [25_000, 28_000];

const installed = installPackage('component', '--offline');
const { installation, size } = installed;

test('the package is small, and its parts are there', () => {
  assert.ok(size < MOST_BYTES, `${size} bytes`);
  for (const { types, default: code } of Object.values(manifest.exports)) {
    for (const path of [types, code]) assert.ok(existsSync(join(installation, path)), path);
  }
  assert.ok(existsSync(join(installation, 'README.md')));
  assert.equal(manifest.version, project.version);
  assert.ok(!('dependencies' in manifest));
});

test('a browser loads one file, as it is, and nothing after it', () => {
  assert.deepEqual(
    installed.files.filter((path) => path.endsWith('.js')),
    ['dist/define.js'],
  );
  const code = readFileSync(join(installation, 'dist/define.js'));
  const size = gzipSync(code).length;
  assert.ok(size < MOST_LOADED, `${size} bytes`);
  assert.doesNotMatch(code.toString(), /\beval\b|new Function|innerHTML|\.style\b|\bimport\b/);
});

test('a server may import what defines it, and its types serve a strict project', async () => {
  await import(join(installation, manifest.exports['.'].default));
  assertCompiles(
    installed,
    `import '@countersign/verify-element/define';
     import { type CountersignVerify, define } from '@countersign/verify-element';
     define();
     const element: CountersignVerify = document.createElement('countersign-verify');
     element.addEventListener('countersign-confirmed', ({ detail }) => detail.destination.trim());
     document.addEventListener('countersign-error', ({ detail: { reason } }) => reason === 'expired' && element.reset());
     // @ts-expect-error: no event has the code.
     element.addEventListener('countersign-sent', ({ detail }) => detail.code);`,
    { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] },
  );
});
