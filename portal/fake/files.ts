import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';

/** As the service sends it, so that what it would block is blocked here. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

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
  response.writeHead(content === undefined ? 404 : 200, {
    'content-type': `${type ?? 'text/html'}; charset=utf-8`,
    'content-security-policy': POLICY,
  });
  response.end(content ?? 'Not built: npm run build -w portal');
}
