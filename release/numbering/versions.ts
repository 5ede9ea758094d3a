/** The metadata of released versions of libphonenumber-js. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MetadataJson } from 'libphonenumber-js/core';

/** Before 1.9.7 the file with all types had the other name. */
const FILES = ['metadata.max.json', 'metadata.full.json'];

/** Installs the version in a folder of its own, which is gone afterwards. */
export function fetchMetadata(version: string): MetadataJson {
  const folder = mkdtempSync(join(tmpdir(), 'numbering-'));
  try {
    const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--silent', '--prefix', folder];
    execFileSync('npm', ['install', ...options, `libphonenumber-js@${version}`]);
    const installed = join(folder, 'node_modules/libphonenumber-js');
    const name = readdirSync(installed).find((each) => FILES.includes(each));
    if (name === undefined) throw new Error(`libphonenumber-js ${version} has no metadata of all types`);
    return JSON.parse(readFileSync(join(installed, name), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
