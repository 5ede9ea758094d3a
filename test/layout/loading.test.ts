/** What is loaded, and before what: a start takes as long as what it loads, and what has to wait for it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '../deploy/project.ts';
import { filesLoadedBy, WATCH_LOADING } from '../loaded.ts';
import { isRunning, outputOf } from '../started.ts';

const SMPP = { type: 'smpp', host: '127.0.0.1', port: 1, systemId: 'u', password: 'p', source: 'Acme' };

interface Conduct {
  readonly root?: string;
  readonly flags?: readonly string[];
  readonly configuration?: object;
  /** It is ended then, if not before. */
  readonly until?: string;
}

/** What a command writes. */
async function run(
  t: TestContext,
  words: readonly string[],
  { root = ROOT, flags = [], configuration = {}, until }: Conduct = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-loading-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'countersign.yaml');
  writeFileSync(file, JSON.stringify(configuration));
  const env = {
    PATH: process.env.PATH,
    COUNTERSIGN_CONFIG: file,
    COUNTERSIGN_DATA_DIR: join(folder, 'data'),
    COUNTERSIGN_PORT: '0',
  };
  const child = spawn(process.execPath, [...flags, join(root, 'bin/countersign.js'), ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  const output = outputOf(child);
  if (until !== undefined) {
    await output.until(until);
    if (isRunning(child)) child.kill('SIGTERM');
  }
  const [code] = await exited;
  assert.equal(code, 0, output.said());
  return output.said();
}

/** Those that a service loads, in all its threads. */
async function typesLoaded(t: TestContext, configuration: object): Promise<string[]> {
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(WATCH_LOADING)}`];
  const said = await run(t, ['serve'], { configuration, flags, until: '"serving"' });
  return Array.from(
    said.matchAll(/^loaded src\/carriers\/(\w+)\/type\.ts$/gm),
    ([, name = '']) => name,
  ).sort();
}

test('what opens the store and the certificate is loaded before the rest of the service, so that both are under way meanwhile', () => {
  const loaded = filesLoadedBy('src/cli/serve.ts');
  assert.ok(loaded.includes('src/store/open.ts') && loaded.includes('src/http/connection/tls.ts'));
  assert.deepEqual(
    loaded.filter((path) => /^src\/(assembly\.ts|delivery|guard|http\/routes|portal)/.test(path)),
    [],
  );
});

test('a service loads the types of carriers that its configuration names, and the simulator', async (t) => {
  assert.deepEqual(await typesLoaded(t, {}), ['simulator']);
  const configuration = { carriers: { a: SMPP }, routes: [{ channel: 'sms', carriers: ['a'] }] };
  assert.deepEqual(await typesLoaded(t, configuration), ['simulator', 'smpp']);
});

/** The service with its packages, and a compile cache of its own. */
function copyService(t: TestContext): string {
  const copy = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-copy-'));
  t.after(() => rmSync(copy, { recursive: true }));
  for (const part of ['bin', 'src', 'docs', 'package.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name));
  return copy;
}

test('after `precompile` a start compiles nothing, in any of its threads: an image cannot keep what it would', async (t) => {
  const root = copyService(t);
  const compiled = () =>
    readdirSync(join(root, 'node_modules/.cache/countersign'), { recursive: true }).map(String).sort();
  await run(t, ['precompile'], { root });
  const before = compiled();
  assert.ok(before.length > 1_000);
  await run(t, ['serve'], { root, until: '"serving"' });
  assert.deepEqual(compiled(), before);
});
