import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('an interrupt removes the file, and a journal that SQLite has begun beside it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-part-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'backup.db');
  const program = `
    const { createPartFile } = await import(${JSON.stringify(new URL('./part-file.ts', import.meta.url).href)});
    const { writeFileSync, readdirSync } = await import('node:fs');
    await createPartFile(${JSON.stringify(file)});
    writeFileSync(${JSON.stringify(`${file}.part-journal`)}, '');
    console.log(readdirSync(${JSON.stringify(folder)}).length);
    process.kill(process.pid, 'SIGTERM');
    setInterval(() => {}, 1_000);`;
  const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.deepEqual([signal, stdout, readdirSync(folder)], ['SIGTERM', '2\n', []]);
});
