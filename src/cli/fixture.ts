/** For tests: the real command line, in its own folder. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Workplace extends Disposable {
  readonly folder: string;
  write(name: string, text: string): void;
  /** Runs `countersign` with these arguments and variables. It inherits only PATH from the environment. */
  run(args: readonly string[], variables?: Readonly<Record<string, string>>): Run;
}

export function createWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  return {
    folder,
    write: (name, text) => writeFileSync(join(folder, name), text),
    run: (args, variables = {}) => {
      const env = { PATH: process.env.PATH, NO_COLOR: '1', ...variables };
      const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
        cwd: folder,
        env,
        encoding: 'utf8',
        timeout: 30_000,
      });
      return { status, stdout, stderr };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
