/** Deployments set one malloc arena; the service runs as it was started. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from 'yaml';
import { startService } from '../service.ts';
import { readProjectFile } from './project.ts';

/** The environment that a process was started with, not what it has set since. */
async function variablesOf(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
}

const linuxOnly = { skip: process.platform === 'linux' ? false : 'only Linux has glibc' };

test('the service does not restart itself to set a variable', linuxOnly, async () => {
  await using service = await startService();
  const variables = await variablesOf(service.pid);
  assert.ok(variables.includes(`COUNTERSIGN_PORT=${service.port}`));
  assert.ok(!variables.some((variable) => variable.startsWith('MALLOC_ARENA_MAX=')));
  assert.equal(await service.stop(), 0);
});

test('a configured number of arenas is kept', linuxOnly, async () => {
  await using service = await startService({ env: { MALLOC_ARENA_MAX: '2' } });
  assert.ok((await variablesOf(service.pid)).includes('MALLOC_ARENA_MAX=2'));
});

test('every deployment sets one arena', () => {
  assert.match(readProjectFile('deploy/container/Dockerfile'), /\bMALLOC_ARENA_MAX=1\b/);
  assert.match(readProjectFile('deploy/systemd/countersign.service'), /^Environment=MALLOC_ARENA_MAX=1$/m);
  const { services } = parse(readProjectFile('deploy/compose.yaml'), { merge: true });
  assert.equal(services.countersign.environment.MALLOC_ARENA_MAX, '1');
  assert.match(
    readProjectFile('deploy/helm/countersign/templates/deployment.yaml'),
    /^\s+- { name: MALLOC_ARENA_MAX, value: "1" }$/m,
  );
});
