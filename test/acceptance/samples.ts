/** Takes the samples from the page /docs, as it shows them, and runs them. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Sample {
  /** As in the page's style sheet: `python`. */
  readonly language: string;
  /** `POST /verify` */
  readonly operation: string;
  readonly code: string;
}

interface Way {
  readonly ending: string;
  readonly command: readonly string[];
  /** Fails if the language is not installed. */
  readonly probe: readonly string[];
}

const WAYS: Readonly<Record<string, Way>> = {
  curl: { ending: 'sh', command: ['sh'], probe: ['curl', '--version'] },
  typescript: { ending: 'mts', command: [process.execPath], probe: [process.execPath, '--version'] },
  python: { ending: 'py', command: ['python3'], probe: ['python3', '--version'] },
};

export const LANGUAGES = Object.keys(WAYS);

const SAMPLE =
  /<figure class="sample in-(\w+)"><figcaption>([^<]+) <span>[^<]+<\/span><\/figcaption><div class="block"><pre[^>]*><code>([^<]+)<\/code>/g;

export function readSamples(html: string): Sample[] {
  return [...html.matchAll(SAMPLE)].map(([, language = '', operation = '', code = '']) => ({
    ...{ language, operation },
    code: code.replace(/&#(\d+);/g, (_, mark) => String.fromCharCode(mark)),
  }));
}

/** Why the samples of a language cannot run here, or false. */
export function missing(language: string): string | false {
  const [program = '', ...args] = WAYS[language]?.probe ?? [];
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return false;
  } catch {
    return `NOT RUN: ${language} is not installed on this machine`;
  }
}

/** The variables that make each language trust the certificate. */
export async function trust(ca: string, folder: string): Promise<Record<string, string>> {
  const file = join(folder, 'ca.pem');
  await writeFile(file, ca);
  return { CURL_CA_BUNDLE: file, NODE_EXTRA_CA_CERTS: file, SSL_CERT_FILE: file };
}

/** What the sample printed. It takes the address and the key from the environment. */
export async function runSample(
  { language, operation, code }: Sample,
  folder: string,
  env: Readonly<Record<string, string>>,
  expected: number,
): Promise<string> {
  const way = WAYS[language];
  assert.ok(way !== undefined, language);
  const [program = '', ...args] = way.command;
  const file = `${operation.replace(/\W+/g, '-')}.${way.ending}`;
  await writeFile(join(folder, file), code);
  const { stdout, stderr } = await promisify(execFile)(program, [...args, file], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  });
  // curl prints the body only, all others the status before it.
  if (language !== 'curl')
    assert.equal(stdout.slice(0, 4), `${expected} `, `${operation}: ${stdout} ${stderr}`);
  return stdout;
}
