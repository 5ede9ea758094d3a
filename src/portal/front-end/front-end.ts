/** Serves the built front end: its page for every path of the portal, and its files, precompressed. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptedEncodings } from '../../http/accepted-encodings.ts';
import { IMMUTABLE } from '../../http/cache-control.ts';
import { sendProblem } from '../../http/problem.ts';

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
/** The names of the files in here contain a hash of their content. */
const HASHED = 'assets/';

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Countersign</title></head>
<body><h1>The portal is not built</h1>
<p>Run <code>npm ci &amp;&amp; npm prune --omit=dev --workspaces=false --no-save</code> where the service is
installed (or, with development packages, <code>npm run build --workspace portal</code>), then reload this page. The API
works without the portal and is described at <a href="/docs">/docs</a>.</p></body></html>
`;

/** Serves `folder` under /portal/, even if another build replaces it in the meantime. */
export function registerFrontEnd(app: FastifyInstance, folder: string): void {
  const files = new Files(folder);
  const hidden = { schema: { hide: true } };
  app.get('/', hidden, async (_request, reply) => reply.redirect('/portal/', 303));
  app.get('/portal', hidden, async (_request, reply) => reply.redirect('/portal/', 303));
  app.get<{ Params: { '*': string } }>('/portal/*', hidden, async (request, reply) => {
    const path = pathOf(request);
    const isFile = extname(path) !== '';
    if (path.startsWith('api/') || (isFile && !(extname(path) in TYPES))) {
      return sendProblem(reply, 'not-found');
    }
    const name = isFile ? path : PAGE;
    const found = await files.read(name, acceptedEncodings(request.headers['accept-encoding']));
    if (found !== undefined) {
      if (found.encoding !== undefined) reply.header('content-encoding', found.encoding);
      if (name.startsWith(HASHED)) reply.header('cache-control', IMMUTABLE);
      return reply
        .headers({ vary: 'accept-encoding', 'content-type': TYPES[extname(name)] })
        .send(found.content);
    }
    if (isFile) return sendProblem(reply, 'not-found');
    return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT);
  });
}

/** Reads only files that were found in the folder, so that no path leads out of it. */
class Files {
  readonly #folder: string;
  #names: ReadonlySet<string> = new Set();
  #looking: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file in the best accepted encoding; undefined if there is no such file. */
  async read(name: string, accepted: ReadonlySet<string>) {
    if (!this.#names.has(name)) await this.#look();
    // Another build may have removed the file: then look once more.
    for (let tries = 0; tries < 2 && this.#names.has(name); tries++) {
      const form = ENCODINGS.find(
        ([encoding, suffix]) => accepted.has(encoding) && this.#names.has(name + suffix),
      );
      const content = await readFile(join(this.#folder, name + (form?.[1] ?? ''))).catch(unlessAbsent);
      if (content !== undefined) return { content, encoding: form?.[0] };
      await this.#look();
    }
    return undefined;
  }

  /** Concurrent requests for missing files share one look through the folder. */
  #look(): Promise<void> {
    this.#looking ??= listFiles(this.#folder)
      .then((names) => {
        this.#names = names;
      })
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }
}

const pathOf = ({ params }: FastifyRequest): string => (params as { '*': string })['*'];

/** The paths of all files, with slashes; empty if there is no such folder. */
async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(unlessAbsent);
  const files = (entries ?? []).filter((entry) => entry.isFile());
  return new Set(
    files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/')),
  );
}

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
