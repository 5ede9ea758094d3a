import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

const PAST_A_SEAM = [
  'export const x = Date.now();',
  'export const x = performance.now();',
  'export const x = Math.random();',
  'setTimeout(() => {}, 1);',
  "import { setTimeout } from 'node:timers/promises';",
  "export const x = await fetch('https://one.example/');",
  "import { Client } from 'undici';",
  "import { request } from 'node:http';",
  "import { Agent, request } from 'node:https';",
  "import { connect, isIP } from 'node:net';",
  "import net from 'node:net';",
  "import { lookup } from 'node:dns';",
];

const AT_HOME: Readonly<Record<string, string>> = {
  'src/core/seams/clock.ts': 'export const x = Date.now();',
  'src/carriers/smpp/link.ts': "import { connect } from 'node:net';",
  'src/delivery/address.ts': "import { isIP } from 'node:net';",
  'src/delivery/type.ts': "import type { Agent } from 'node:https';",
  'test/delivery/late.ts': 'export const x = Date.now();',
};

test('the linter finds whoever reaches past a seam, and nobody who is at home there', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'seams-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const part of ['biome.json', 'lint', '.gitignore'])
    cpSync(part, join(folder, part), { recursive: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  };
  const past = PAST_A_SEAM.map((text, n) => ({ path: `src/delivery/late-${n}.ts`, text }));
  for (const { path, text } of past) write(path, text);
  for (const [path, text] of Object.entries(AT_HOME)) write(path, text);

  const biome = resolve('node_modules/.bin/biome');
  const { stdout, stderr } = spawnSync(biome, ['lint', '--max-diagnostics=none', '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const found = new Set([...(stdout + stderr).matchAll(/^(\S+\.ts):\S+ plugin/gm)].map(([, path]) => path));
  const missed = past.filter(({ path }) => !found.has(path)).map(({ text }) => text);
  assert.deepEqual(missed, []);
  assert.deepEqual(
    [...found].filter((path) => path !== undefined && path in AT_HOME),
    [],
  );
});
