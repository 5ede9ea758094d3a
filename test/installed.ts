/** For tests: a package of ours as a user has it, packed here and installed elsewhere. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after } from 'node:test';
import { ROOT } from './deploy/project.ts';

interface Installed {
  /** The user's own; it goes when the tests of the file are over. */
  readonly folder: string;
  /** Where the package is in it. */
  readonly installation: string;
  /** By their paths in the package. */
  readonly files: readonly string[];
  /** Bytes to download. */
  readonly size: number;
}

/** npm reads it as the one that it is told to use. */
const REGISTRY = 'https://registry.npmjs.org';

const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8' });

/** Installs the package whose sources are in a folder of the project, with these options of `npm install`. */
export function installPackage(source: string, ...options: readonly string[]): Installed {
  const [from, folder] = [
    join(ROOT, source),
    mkdtempSync(join(realpathSync(tmpdir()), 'countersign-package-')),
  ];
  after(() => rmSync(folder, { recursive: true }));
  npm(from, 'pack', '--silent', '--pack-destination', folder);
  const [tarball = ''] = readdirSync(folder);
  const { size } = statSync(join(folder, tarball));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockPackages()));
  npm(folder, 'install', `./${tarball}`, '--no-audit', '--no-fund', ...options);
  const { name } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const installation = join(folder, 'node_modules', name);
  const files = readdirSync(installation, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(installation, join(entry.parentPath, entry.name)));
  return { folder, installation, files, size };
}

interface Locked {
  readonly version: string;
  readonly integrity: string;
  readonly link?: boolean;
  readonly dev?: boolean;
}

/** Of each package the version that a run's `npm ci` left a copy of, so that none is looked up. npm leaves out what nothing needs. */
function lockPackages() {
  const lock: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  );
  const packages = Object.entries(lock.packages).flatMap(([path, locked]) => {
    const [, name = '', base = ''] = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?([^/]+))$/.exec(path) ?? [];
    if (name === '' || locked.link === true || locked.dev === true) return [];
    return [[path, { ...locked, resolved: `${REGISTRY}/${name}/-/${base}-${locked.version}.tgz` }]];
  });
  return { lockfileVersion: 3, packages: Object.fromEntries(packages) };
}

/** Fails with what TypeScript says about a strict program in the user's folder. */
export function assertCompiles({ folder }: Installed, program: string, options: object): void {
  writeFileSync(join(folder, 'consumer.ts'), program);
  const compilerOptions = { target: 'es2022', strict: true, noEmit: true, ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    assert.fail(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error));
  }
}
