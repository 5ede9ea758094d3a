/** For tests: the real command line, in its own folder. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KeyOptions } from '../../test/make-key.ts';

const CLI = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Workplace extends Disposable {
  readonly folder: string;
  write(name: string, text: string): void;
  /** What `keys create --init` does, for tests of other commands; resolves with the key. */
  makeStore(options?: KeyOptions): Promise<string>;
  /** Runs `countersign` with these arguments, variables and standard input. It inherits only PATH from the environment. */
  run(args: readonly string[], variables?: Readonly<Record<string, string>>, input?: string): Run;
}

export function createWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  return {
    folder,
    write: (name, text) => writeFileSync(join(folder, name), text),
    async makeStore(options = {}) {
      // Most commands are tested without a store.
      const { makeKey } = await import('../../test/make-key.ts');
      const file = join(folder, 'countersign.yaml');
      const config = existsSync(file) && { COUNTERSIGN_CONFIG: file };
      return makeKey({ COUNTERSIGN_DATA_DIR: join(folder, 'data'), ...config }, 'some', options);
    },
    run: (args, variables = {}, input) => {
      const env = { PATH: process.env.PATH, NO_COLOR: '1', ...variables };
      const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
        cwd: folder,
        env,
        encoding: 'utf8',
        ...(input !== undefined && { input }),
        timeout: 120_000,
      });
      return { status, stdout, stderr };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
