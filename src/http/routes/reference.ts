/** GET /docs, /docs/guides and /problems/*: the reference for people, and the guides. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IMMUTABLE, REVALIDATED } from '../cache-control.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { PROBLEM_NAMES, problemPath, sendProblem } from '../problem.ts';
import type { ReferenceSite } from '../reference/site.ts';

/** The pages and what makes them are loaded when the first one is asked for: a start pays nothing for them. */
const loadSite = () => import('../reference/site.ts');

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
    const found = await (await site.made).find(request.url.replace(/\?.*$/, ''));
    if (found === undefined) return sendProblem(reply, 'not-found');
    const { resource, isLasting } = found;
    const { headers } = request;
    const { content, encoding } = await resource.answer(headers['accept-encoding']);
    reply.headers({
      'content-type': resource.type,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'no-referrer',
      'cache-control': isLasting ? IMMUTABLE : REVALIDATED,
      etag: resource.tag,
      vary: 'accept-encoding',
    });
    if (headers['if-none-match']?.includes(resource.tag)) return reply.code(304).send();
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    return reply.send(content);
  }
  const hidden = { schema: { hide: true } };
  for (const path of ['/docs', '/docs/*', ...PROBLEM_NAMES.map(problemPath)]) app.get(path, hidden, answer);
}
