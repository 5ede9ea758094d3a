import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { loadConfig } from '../config/fixture.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { prepareTracing } from './index.ts';

/** The files of this room that a service has loaded once it serves. */
async function loadedWith(environment: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  const [main, configuration] = ['../main.ts', '../cli/configuration.ts'].map((path) =>
    import.meta.resolve(path),
  );
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const { serve } = await import('${main}');
    const { readConfiguration } = await import('${configuration}');
    const service = await serve(await readConfiguration());
    await service.stop();
    console.log('loaded ' + JSON.stringify(loaded));`;
  // Behind a proxy it needs no certificate.
  const own = { COUNTERSIGN_DATA_DIR: folder, COUNTERSIGN_PORT: '0', COUNTERSIGN_TRUST_PROXY: '127.0.0.1' };
  try {
    // Not as an argument, which the store's thread would inherit.
    const file = join(folder, 'start.mjs');
    writeFileSync(file, script);
    const env = { PATH: process.env.PATH, COUNTERSIGN_LOG_LEVEL: 'silent', ...own, ...environment };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env });
    const loaded: string[] = JSON.parse(/^loaded (.*)$/m.exec(stdout)?.[1] ?? '[]');
    assert.ok(loaded.some((url) => url.endsWith('/src/http/server.ts')));
    return loaded
      .filter((url) => url.includes('/src/tracing/'))
      .map((url) => url.replace(/.*\//, ''))
      .sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a service without tracing loads none of it but the question whether there is any', async () => {
  assert.deepEqual(await loadedWith({}), ['index.ts', 'settings.ts']);
});

test('one with tracing loads it', async () => {
  const loaded = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  assert.ok(loaded.includes('traced.ts') && loaded.includes('exporter.ts'));
});

test('without tracing every part stays what it is: not even a wrapper is left', async () => {
  const draft = await prepareTracing(loadConfig({}));
  assert.equal(draft.logFields, undefined);
  const unused = () => assert.fail('not asked for');
  await using tracing = draft.open({
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    records: { random: SYSTEM_RANDOM, transact: unused, keysRevision: unused },
    count: unused,
    log: unused,
  });
  const carriers: never[] = [];
  const verifications = { issue: unused, admit: unused, findReplay: unused, confirm: unused };
  const queue = {
    claim: unused,
    renew: unused,
    reserveMore: unused,
    settle: unused,
    receive: unused,
    depth: unused,
  };
  assert.equal(tracing.carriers(carriers), carriers);
  assert.equal(tracing.verifications(verifications), verifications);
  assert.equal(tracing.queue(queue), queue);
  assert.equal(tracing.requests, undefined);
});
