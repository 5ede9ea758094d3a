/** For tests: commands, each in a folder of its own. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyOptions } from '../../test/make-key.ts';
import { type Run, runInPlace } from '../../test/run-in-place.ts';

export interface Workplace extends Disposable {
  readonly folder: string;
  write(name: string, text: string): void;
  /** What `keys create --init` does, for tests of other commands; resolves with the key. */
  makeStore(options?: KeyOptions): Promise<string>;
  /** Runs `countersign` with these arguments, variables and standard input. It inherits only PATH from the environment. */
  run(args: readonly string[], variables?: Readonly<Record<string, string>>, input?: string): Promise<Run>;
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
    run: (args, variables = {}, input = '') =>
      runInPlace(args, { folder, input, env: { PATH: process.env.PATH, NO_COLOR: '1', ...variables } }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
