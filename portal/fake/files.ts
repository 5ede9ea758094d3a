import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { SECURITY_HEADERS } from '../../src/portal/security-headers.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The built front end: assets by name, the page for every other path. */
export async function answerFile(path: string, response: ServerResponse): Promise<void> {
  const type = TYPES[extname(path)];
  const name = type === undefined || path.includes('..') ? 'index.html' : path.replace('/portal/', '');
  const content = await readFile(new URL(`../dist/${name}`, import.meta.url)).catch(() => undefined);
  // As the service sends them, so that what it would block is blocked here.
  response.writeHead(content === undefined ? 404 : 200, {
    ...SECURITY_HEADERS,
    'content-type': `${type ?? 'text/html'}; charset=utf-8`,
  });
  response.end(content ?? 'Not built: npm run build -w portal');
}
