/** The secrets of a run, which must appear nowhere in clear, and the search for them. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, freshNumber } from '../acceptance/client.ts';
import type { Service } from '../service.ts';

export class Evidence {
  readonly secrets: Set<string>;
  readonly errors: string[] = [];

  constructor(secrets: Iterable<string> = []) {
    this.secrets = new Set(secrets);
  }

  add(...secrets: string[]): void {
    for (const secret of secrets) this.secrets.add(secret);
  }

  /** A number counts as shown if its digits appear, with or without the plus. */
  number(): string {
    const number = freshNumber();
    this.add(number.slice(1));
    return number;
  }

  keep(answer: Answer): Answer {
    if (answer.status >= 300) this.errors.push(JSON.stringify(answer.headers) + answer.text);
    return answer;
  }

  /** The secrets in a text or a file, in clear or in a common encoding. */
  foundIn(haystack: Buffer): string[] {
    return [...this.secrets].filter((secret) => {
      const bytes = Buffer.from(secret);
      const base64 = bytes.toString('base64').replace(/=+$/, '').slice(0, -1);
      return [secret, base64, bytes.toString('base64url').slice(0, -1), bytes.toString('hex')].some((form) =>
        haystack.includes(form),
      );
    });
  }
}

export function assertNothingIn(evidence: Evidence, where: string, haystack: string | Buffer): void {
  const found = evidence.foundIn(Buffer.from(haystack));
  assert.deepEqual(found, [], `found in ${where}`);
}

export async function assertNothingOnDisk(evidence: Evidence, service: Service, when: string): Promise<void> {
  const files = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
  assert.ok(files.some(({ name }) => /\.(db|sqlite)/.test(name)) || files.length > 2, 'there is a store');
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    assertNothingIn(evidence, `${file.name} ${when}`, await readFile(path));
  }
}
