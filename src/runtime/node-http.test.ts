import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** How many modules of undici a process has loaded after these: of the one inside Node, and of the package. */
async function loadedBy(...paths: readonly string[]): Promise<{ own: number; ofPackage: number }> {
  const script = `
    import { createRequire } from 'node:module';
    for (const module of ${JSON.stringify(paths.map((path) => import.meta.resolve(path)))}) await import(module);
    const count = (names) => names.filter((name) => /(deps|node_modules).undici\\b/.test(name)).length;
    const packages = Object.keys(createRequire(process.execPath).cache);
    console.log(JSON.stringify({ own: count(process.moduleLoadList), ofPackage: count(packages) }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout);
}

test('the service loads without undici, until something speaks HTTP to others', async () => {
  assert.deepEqual(await loadedBy('../main.ts'), { own: 0, ofPackage: 0 });
  const { ofPackage } = await loadedBy('../main.ts', '../carriers/http/carrier.ts');
  assert.ok(ofPackage > 0);
});
