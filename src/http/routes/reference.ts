/** GET /docs, /docs/guides and /problems/*: the reference for people, and the guides. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { OpenApiDocument } from '../openapi.ts';
import { PROBLEM_NAMES, problemPath, sendProblem } from '../problem.ts';

/** The pages and what makes them are loaded when the first one is asked for: a start pays nothing for them. */
const loadPages = () => import('../reference/page.ts');
const loadGuides = () => import('../reference/guides.ts');

function headers(policy: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  };
}

export function registerReference(app: FastifyInstance, describe: () => OpenApiDocument): void {
  const hidden = { schema: { hide: true } };
  let page: { readonly html: string; readonly of: OpenApiDocument } | undefined;
  app.get('/docs', hidden, async (_request, reply) => {
    const { renderReference, CONTENT_SECURITY_POLICY } = await loadPages();
    const document = describe();
    if (page?.of !== document) page = { html: renderReference(document), of: document };
    return reply.headers(headers(CONTENT_SECURITY_POLICY)).send(page.html);
  });
  app.get('/docs/guides', hidden, (_request, reply) => sendGuide(reply, ''));
  app.get<{ Params: { '*': string } }>('/docs/guides/*', hidden, ({ params }, reply) =>
    sendGuide(reply, params['*']),
  );
  for (const name of PROBLEM_NAMES) {
    app.get(problemPath(name), hidden, async (_request, reply) => {
      const { renderProblem, CONTENT_SECURITY_POLICY } = await loadPages();
      return reply.headers(headers(CONTENT_SECURITY_POLICY)).send(renderProblem(name));
    });
  }
}

async function sendGuide(reply: FastifyReply, name: string): Promise<FastifyReply> {
  const [{ readGuides, renderGuide }, { CONTENT_SECURITY_POLICY }] = await Promise.all([
    loadGuides(),
    loadPages(),
  ]);
  const html = renderGuide(await readGuides(), name);
  return html === undefined
    ? sendProblem(reply, 'not-found')
    : reply.headers(headers(CONTENT_SECURITY_POLICY)).send(html);
}
