/** GET /docs, /docs/guides, /problems and /problems/*: the reference for people, and the guides. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IMMUTABLE, REVALIDATED } from '../cache-control.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { PROBLEM_NAMES, PROBLEMS_PATH, problemPath, sendProblem } from '../problem.ts';
import type { Resource } from '../reference/resource.ts';
import type { ReferenceSite } from '../reference/site.ts';

/** The pages and what makes them are loaded when the first one is asked for: a start pays nothing for them. */
const loadSite = () => import('../reference/site.ts');

const PATHS = [
  ...['/docs', '/docs/*'],
  ...[PROBLEMS_PATH, `${PROBLEMS_PATH}/`, ...PROBLEM_NAMES.map(problemPath)],
];

export function registerReference(
  app: FastifyInstance,
  describe: () => OpenApiDocument,
  hasPortal: boolean,
): void {
  let site: { readonly made: Promise<ReferenceSite>; readonly of: OpenApiDocument } | undefined;
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { makeReferenceSite, CONTENT_SECURITY_POLICY } = await loadSite();
    const document = describe();
    if (site?.of !== document) {
      const made = makeReferenceSite(document, hasPortal);
      site = { made, of: document };
      // What failed once is tried again.
      made.catch(() => {
        site = undefined;
      });
    }
    const pages = await site.made;
    const { headers, url } = request;
    const address = url.replace(/\?.*$/, '');
    reply.headers({ 'content-security-policy': CONTENT_SECURITY_POLICY, 'referrer-policy': 'no-referrer' });
    const found = await pages.find(address);
    if (found === undefined) {
      const elsewhere = pages.leadOn(address);
      if (elsewhere !== undefined) return reply.redirect(elsewhere, 308);
      reply.header('vary', 'accept, accept-encoding');
      if (!headers.accept?.includes('text/html')) return sendProblem(reply, 'not-found');
      request.problem = 'not-found';
      return send(request, reply.code(404), pages.missing());
    }
    const { resource, isLasting } = found;
    reply.headers({
      'cache-control': isLasting ? IMMUTABLE : REVALIDATED,
      etag: resource.tag,
      vary: 'accept-encoding',
    });
    if (headers['if-none-match']?.includes(resource.tag)) {
      return reply.code(304).type(resource.type).send();
    }
    return send(request, reply, resource);
  }
  const hidden = { schema: { hide: true } };
  for (const path of PATHS) app.get(path, hidden, answer);
}

async function send(request: FastifyRequest, reply: FastifyReply, resource: Resource): Promise<FastifyReply> {
  const { content, encoding } = await resource.answer(request.headers['accept-encoding']);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.type(resource.type).send(content);
}
