import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

test('the service loads without undici', async () => {
  const modules = ['../main.ts', '../carriers/http/carrier.ts'].map((path) => import.meta.resolve(path));
  const script = `
    for (const module of ${JSON.stringify(modules)}) await import(module);
    console.log(process.moduleLoadList.filter((name) => name.includes('undici')));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  assert.equal(stdout.trim(), '[]');
});
