import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startService } from '../service.ts';
import { readProjectFile } from './project.ts';

/** What a process was started with, and not what it has set since. */
async function variablesOf(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
}

const linuxAlone = { skip: process.platform === 'linux' ? false : 'glibc is read there alone' };

test('the service has one arena of malloc, in the process that was started', linuxAlone, async () => {
  await using service = await startService();
  assert.ok((await variablesOf(service.pid)).includes('MALLOC_ARENA_MAX=1'));
  assert.equal(await service.stop(), 0);
});

test('a number of arenas that somebody chose is kept', linuxAlone, async () => {
  await using service = await startService({ env: { MALLOC_ARENA_MAX: '2' } });
  assert.ok((await variablesOf(service.pid)).includes('MALLOC_ARENA_MAX=2'));
});

test('the image and the unit spare the service its second start', () => {
  assert.match(readProjectFile('deploy/container/Dockerfile'), /\bMALLOC_ARENA_MAX=1\b/);
  assert.match(readProjectFile('deploy/systemd/countersign.service'), /^Environment=MALLOC_ARENA_MAX=1$/m);
});
