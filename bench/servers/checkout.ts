/** Checkouts of this project whose service can be started: this one, and another revision's. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Checkout {
  readonly root: string;
  /** The version of Node that it asks for. */
  readonly node: string;
}

export const HERE: Checkout = {
  root: fileURLToPath(new URL('../..', import.meta.url)),
  node: process.execPath,
};

/**
 * Checks a revision out below `cache`, with its packages, or finds it there. It stays for the next run: `git worktree prune`
 * forgets it once the folder is deleted.
 */
export function checkOut(revision: string, cache: string): Checkout {
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', HERE.root, ...words], { encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`);
  const root = join(cache, `countersign-bench-${commit.slice(0, 12)}`);
  const node = join(root, 'node_modules/.bin/node');
  if (!existsSync(root)) {
    git('worktree', 'prune');
    git('worktree', 'add', '--detach', root, commit);
  }
  // npm writes this last.
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) {
    execFileSync('npm', ['ci'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return { root, node };
}

/** What `npm start` runs there, without npm: the arguments of Node. */
export function startArguments({ root }: Checkout): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const words: string[] = scripts.start
    .replace(/^exec /, '')
    .split(' ')
    .slice(1);
  return words.map((word) => (word.startsWith('bin/') ? join(root, word) : word));
}
