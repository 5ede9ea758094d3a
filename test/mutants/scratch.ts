/** A copy of the project that may be broken: what is written there reaches neither the sources nor their packages. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mutant, mutate } from './mutant.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_COPIED = ['.git', 'node_modules'];
const TEST_TIMEOUT_MS = 240_000;
/** Of those beside their source: a mutant that hangs there does not hold up the others for long. */
const UNIT_TIMEOUT_MS = 60_000;
/** A mutant may hang where no test's timeout reaches. */
const RUN_TIMEOUT_MS = 600_000;

export interface Verdict {
  readonly passed: boolean;
  /** What the runner printed. */
  readonly output: string;
}

export interface Scratch extends Disposable {
  /** Runs the tests of a mutant, without its edit or with it. */
  run(mutant: Mutant, edited: boolean): Promise<Verdict>;
  /** Does something in the copy while it has the edit of a mutant. */
  edited<T>(mutant: Mutant, work: (folder: string) => Promise<T>): Promise<T>;
  /** Does something in the copy as it is. */
  intact<T>(work: (folder: string) => Promise<T>): Promise<T>;
}

export async function createScratch(): Promise<Scratch> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-mutants-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  await cp(ROOT, folder, { recursive: true, filter: (from) => !NOT_COPIED.includes(basename(from)) });
  // Linked one by one, so that what is cached beside the packages (.cache) is the copy's own.
  const packages = join(folder, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== '.cache') await symlink(join(ROOT, 'node_modules', name), join(packages, name));
  }

  async function test({ tests, named }: Mutant): Promise<Verdict> {
    const only = named === undefined ? [] : [`--test-name-pattern=${named}`];
    const timeout = tests.some((file) => file.startsWith('test/')) ? TEST_TIMEOUT_MS : UNIT_TIMEOUT_MS;
    const args = ['--test', `--test-timeout=${timeout}`, '--test-reporter=dot', ...only, ...tests];
    const child = spawn(process.execPath, args, { cwd: folder, timeout: RUN_TIMEOUT_MS });
    let output = '';
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const [code] = await once(child, 'close');
    return { passed: code === 0, output };
  }

  async function edited<T>(mutant: Mutant, work: (folder: string) => Promise<T>): Promise<T> {
    const path = join(folder, mutant.file);
    const source = await readFile(path, 'utf8');
    await writeFile(path, mutate(source, mutant));
    try {
      return await work(folder);
    } finally {
      await writeFile(path, source);
    }
  }

  return {
    run: (mutant, isEdited) => (isEdited ? edited(mutant, () => test(mutant)) : test(mutant)),
    edited,
    intact: (work) => work(folder),
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}
