/** For a Node that is too old: runs the same command line on the one that npm installed beside the packages. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Ends this process as the new one ends, or with one line that says what is missing. */
export function runOnNewNode(needed, entry) {
  const complain = (why) => {
    console.error(
      `countersign: needs Node ${needed} or later, this is ${process.versions.node}, and ${why}; ` +
        'run `npm install --include=optional`, or install a newer Node',
    );
    process.exitCode = 1;
  };
  const node = findNode();
  if (node === undefined) return complain('npm did not bring one');
  const args = [...process.execArgv, fileURLToPath(entry), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends this one to both processes, and a second one would cut the service's graceful stop short.
  process.on('SIGINT', () => [0, 1, 2].some(isatty) || child.kill('SIGINT'));
  child.on('error', ({ code }) => complain(`the one that npm brought does not start (${code})`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** There is a package for each system, and npm installs only this one's. */
function findNode() {
  const { optionalDependencies } = require('../package.json');
  for (const name of Object.keys(optionalDependencies)) {
    try {
      const manifest = require.resolve(`${name}/package.json`);
      return join(dirname(manifest), require(manifest).bin.node);
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}
