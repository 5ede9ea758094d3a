import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { isRunning, untilListening } from '../started.ts';
import { listProjectFiles, ROOT, readProjectFile } from './project.ts';

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The stages of the image, in order, each with its instructions after FROM. */
const STAGES = readProjectFile('deploy/container/Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) =>
    Array.from(stage.matchAll(/^([A-Z]+)\s+(.*)$/gm), ([, name = '', rest = '']): Instruction => {
      return { name, rest: rest.replace(/\s+/g, ' ') };
    }),
  );
const [PORTAL = [], BUILD = [], RUN = []] = STAGES;

function find(name: string): string {
  return RUN.find((instruction) => instruction.name === name)?.rest ?? assert.fail(`no ${name}`);
}

/** The command of an instruction in exec form. */
function readCommand(name: string): string[] {
  return JSON.parse(find(name).replace(/^[^[]*/, ''));
}

/** The files that a build sees: the last matching rule of .dockerignore decides. */
function readContext(): string[] {
  const rules = readProjectFile('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ ignored: !line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  // In Docker a star also matches names that begin with a dot.
  const fits = (path: string, pattern: string) => pattern === '*' || matchesGlob(path, pattern);
  const isIgnored = (file: string) => {
    const parents = file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
    return rules.findLast(({ pattern }) => parents.some((path) => fits(path, pattern)))?.ignored ?? false;
  };
  // As Docker does. Other tests make and remove files in folders that are left out.
  const isLeftOut = (folder: string) =>
    isIgnored(folder) && !rules.some(({ ignored, pattern }) => !ignored && pattern.startsWith(`${folder}/`));
  return readdirSync(ROOT, { withFileTypes: true })
    .filter(({ name }) => !isLeftOut(name))
    .flatMap((entry) => (entry.isDirectory() ? listProjectFiles(entry.name) : [entry.name]))
    .filter((file) => !isIgnored(file));
}

/** Lays out what a stage copies from the project. */
function layOut(folder: string, stage: readonly Instruction[]): void {
  const context = readContext();
  for (const { name, rest } of stage) {
    if (name !== 'COPY' || rest.includes('--from=')) continue;
    const paths = rest.split(' ').filter((word) => !word.startsWith('--'));
    const target = paths.pop() ?? '';
    for (const path of paths) {
      const files = context.filter((file) => file === path || file.startsWith(`${path}/`));
      assert.ok(files.length > 0, `${path} is not in the context`);
      for (const file of files) {
        const into = target.endsWith('/')
          ? join(target, file.split('/').at(-1) ?? '')
          : join(target, file.slice(path.length));
        mkdirSync(dirname(join(folder, into)), { recursive: true });
        cpSync(join(ROOT, file), join(folder, into));
      }
    }
  }
}

/** Adds the packages that are needed to run. */
function linkPackages(folder: string): void {
  const { packages } = JSON.parse(readProjectFile('package-lock.json'));
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(packages)) {
    if (dev === true || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
}

test('the image holds everything that the service needs, and says when it is healthy', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-image-'));
  let child: ChildProcess | undefined;
  t.after(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  layOut(folder, BUILD);
  linkPackages(folder);
  const port = await freePort();
  const file = join(folder, 'countersign.yaml');
  writeFileSync(file, `port: ${port}`);
  const env = {
    COUNTERSIGN_CONFIG: file,
    COUNTERSIGN_DATA_DIR: join(folder, 'data'),
    COUNTERSIGN_LOG_LEVEL: 'error',
  };
  const [node, ...entrypoint] = readCommand('ENTRYPOINT');
  const [sameNode, ...health] = readCommand('HEALTHCHECK');
  assert.deepEqual([node, sameNode], ['node', 'node']);
  const isHealthy = () => spawnSync(process.execPath, health, { cwd: folder, env }).status === 0;
  assert.equal(isHealthy(), false);

  child = spawn(process.execPath, [...entrypoint, ...readCommand('CMD')], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  // Each question is a process: nobody is asked before somebody listens.
  assert.ok(await untilListening(child, port), 'it ended');
  while (!isHealthy()) {
    assert.ok(isRunning(child), 'never healthy');
    await sleep(100);
  }
  // What the service refuses, and goes on as before; what waits for its restart; and no file at all.
  for (const text of ['prot: 1', '', `port: ${await freePort()}`, `trustProxy: [10.0.0.1]`]) {
    writeFileSync(file, text);
    assert.ok(isHealthy(), text);
  }
  rmSync(file);
  assert.ok(isHealthy(), 'without its file');
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

test('the first stage holds everything that the portal is built from', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-image-'));
  t.after(() => rmSync(folder, { recursive: true }));
  layOut(folder, PORTAL);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const built = spawnSync(process.execPath, ['portal/build.ts'], { cwd: folder, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  assert.ok(readdirSync(join(folder, 'portal/dist')).includes('index.html'));
  assert.ok(
    BUILD.some(({ name, rest }) => name === 'COPY' && rest.includes('--from=portal /app/portal/dist ')),
  );
});

test('the image includes neither tests nor secrets', () => {
  const context = readContext();
  const tops = new Set(context.map((file) => file.split('/')[0]));
  assert.deepEqual([...tops].sort(), [
    'bin',
    'deploy',
    'docs',
    'package-lock.json',
    'package.json',
    'portal',
    'src',
    'tsconfig.json',
  ]);
  assert.deepEqual(
    context.filter((file) => file.startsWith('deploy/')),
    ['deploy/container/health.js'],
  );
  assert.ok(
    context.every(
      (file) => !file.startsWith('docs/') || file.endsWith('.md') || file.startsWith('docs/portal/'),
    ),
    'only guides and their pictures',
  );
  assert.ok(!context.some((file) => file.includes('.test.') || file.endsWith('fixture.ts')));
});

test('the image runs what `npm start` runs, as a numeric user', () => {
  const { version, scripts } = JSON.parse(readProjectFile('package.json'));
  // npm runs its scripts in a shell, which a container has not.
  assert.equal(`exec ${[...readCommand('ENTRYPOINT'), ...readCommand('CMD')].join(' ')}`, scripts.start);
  assert.match(find('USER'), /^[1-9]\d*:[1-9]\d*$/);
  assert.ok(find('LABEL').includes(`image.version="${version}"`));
  for (const { name, rest } of RUN) if (name === 'COPY') assert.match(rest, /^--from=build /);
});

test('the compile cache is made by the user that reads it: Node keeps one for each', () => {
  const user = (stage: readonly Instruction[]) => stage.find(({ name }) => name === 'USER')?.rest;
  assert.equal(user(BUILD), user(RUN));
  const install = BUILD.findIndex(({ rest }) => rest.includes('npm ci'));
  assert.ok(BUILD.findIndex(({ name }) => name === 'USER') < install);
});
