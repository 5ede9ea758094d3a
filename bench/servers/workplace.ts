/** The folder of a run and the processes it starts: both are removed when the run ends, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface Workplace extends Disposable {
  /** A new folder with this name inside the run's folder. */
  folder(name: string): string;
  /** Runs a Node program with these arguments; its output goes to the file `log`. */
  spawn(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    log: string,
    node?: string,
  ): ChildProcess;
  /** Ends a process started by `spawn` and waits for its end. */
  end(child: ChildProcess): Promise<void>;
}

/** Opens a workplace below `parent`, which needs room for a copy of the filled store. */
export function openWorkplace(parent: string): Workplace {
  mkdirSync(parent, { recursive: true });
  const root = mkdtempSync(join(parent, 'countersign-bench-run-'));
  const children = new Set<ChildProcess>();
  const sweep = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  };
  const interrupt = () => process.exit(130);
  process.once('exit', sweep).once('SIGINT', interrupt).once('SIGTERM', interrupt);

  return {
    folder(name) {
      const path = join(root, name);
      mkdirSync(path, { recursive: true });
      return path;
    },
    spawn(args, env, log, node = process.execPath) {
      const output = openSync(log, 'a');
      const child = spawn(node, args, { env: { ...env }, stdio: ['ignore', output, output] });
      closeSync(output);
      children.add(child);
      child.once('exit', () => children.delete(child));
      return child;
    },
    async end(child) {
      if (!children.has(child)) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
    [Symbol.dispose]() {
      process.off('exit', sweep).off('SIGINT', interrupt).off('SIGTERM', interrupt);
      sweep();
    },
  };
}
