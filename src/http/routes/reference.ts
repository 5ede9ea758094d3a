/** GET /docs and /problems/*: the reference for people. */
import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '../openapi.ts';
import { PROBLEM_NAMES, problemPath } from '../problem.ts';

/** The pages and what makes them are loaded when the first one is asked for: a start pays nothing for them. */
const loadPages = () => import('../reference/page.ts');

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
  for (const name of PROBLEM_NAMES) {
    app.get(problemPath(name), hidden, async (_request, reply) => {
      const { renderProblem, CONTENT_SECURITY_POLICY } = await loadPages();
      return reply.headers(headers(CONTENT_SECURITY_POLICY)).send(renderProblem(name));
    });
  }
}
