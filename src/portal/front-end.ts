/** The built front end: its page for every path of the portal, its files with their precompressed forms. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../http/problem.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Best first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const PAGE = 'index.html';
/** The build puts a hash of their content into the names of what is in here. */
const HASHED = 'assets/';
const IMMUTABLE = 'public, max-age=31536000, immutable';

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Countersign</title></head>
<body><h1>The portal is not built</h1>
<p>Run <code>npm run build --workspace portal</code> where the service is installed, then load this page again. The
API needs no portal and is described at <a href="/docs">/docs</a>.</p></body></html>
`;

/** Serves what is in `folder` under /portal/. */
export function registerFrontEnd(app: FastifyInstance, folder: string): void {
  // Only what was found here is ever read, so that no path leads out of the folder.
  let files: ReadonlySet<string> = new Set();

  async function send(request: FastifyRequest, reply: FastifyReply, file: string): Promise<FastifyReply> {
    const accepted = acceptedEncodings(request.headers['accept-encoding']);
    const form = ENCODINGS.find(([name, suffix]) => accepted.has(name) && files.has(file + suffix));
    if (form !== undefined) reply.header('content-encoding', form[0]);
    reply.headers({ vary: 'accept-encoding', 'content-type': TYPES[extname(file)] });
    return reply.send(await readFile(join(folder, file + (form?.[1] ?? ''))));
  }

  const hidden = { schema: { hide: true } };
  app.get('/', hidden, async (_request, reply) => reply.redirect('/portal/', 303));
  app.get('/portal', hidden, async (_request, reply) => reply.redirect('/portal/', 303));
  app.get<{ Params: { '*': string } }>(
    '/portal/*',
    {
      ...hidden,
      // After the server's own hook, which forbids keeping anything.
      onSend: (request, reply, _payload, done) => {
        if (reply.statusCode === 200 && pathOf(request).startsWith(HASHED)) {
          reply.header('cache-control', IMMUTABLE);
        }
        done();
      },
    },
    async (request, reply) => {
      if (files.size === 0) files = await listFiles(folder);
      const path = pathOf(request);
      if (files.has(path) && extname(path) in TYPES) return send(request, reply, path);
      if (path.startsWith('api/') || extname(path) !== '') return sendProblem(reply, 'not-found');
      if (files.has(PAGE)) return send(request, reply, PAGE);
      return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT);
    },
  );
}

const pathOf = ({ params }: FastifyRequest): string => (params as { '*': string })['*'];

/** Paths of all files with slashes; none when there is no such folder. */
async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(
    files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/')),
  );
}

/** Those that the client takes, q=0 left out (RFC 9110, section 12.5.3). */
function acceptedEncodings(header = ''): ReadonlySet<string> {
  const offers = header.split(',').map((offer) => offer.trim().split(/\s*;\s*q=/));
  return new Set(offers.flatMap(([name = '', q]) => (Number(q ?? 1) > 0 ? [name] : [])));
}
