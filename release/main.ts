/** `npm run release`: the package, what it is made of (SBOM), the packages for applications, and the checksums of them all, in release/out/. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const OUT = join(import.meta.dirname, 'out');
const SBOM = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const npm = (...args: string[]) => execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' });

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT);
npm('pack', '--pack-destination', OUT);
npm('pack', './client', './component', '--pack-destination', OUT);
writeFileSync(join(OUT, `countersign-${version}.cdx.json`), npm(...SBOM));
const sums = readdirSync(OUT).map((name) => {
  const hash = createHash('sha256').update(readFileSync(join(OUT, name)));
  return `${hash.digest('hex')}  ${name}\n`;
});
writeFileSync(join(OUT, 'SHA256SUMS'), sums.join(''));
console.log(sums.join(''));
