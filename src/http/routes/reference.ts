/** GET /docs and /problems/*: the reference for people. */
import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '../openapi.ts';
import { PROBLEM_NAMES, problemPath } from '../problem.ts';
import { CONTENT_SECURITY_POLICY, renderProblem, renderReference } from '../reference-page.ts';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
};

export function registerReference(app: FastifyInstance, describe: () => OpenApiDocument): void {
  const hidden = { schema: { hide: true } };
  app.get('/docs', hidden, async (_request, reply) =>
    reply.headers(PAGE_HEADERS).send(renderReference(describe())),
  );
  for (const name of PROBLEM_NAMES) {
    app.get(problemPath(name), hidden, async (_request, reply) =>
      reply.headers(PAGE_HEADERS).send(renderProblem(name)),
    );
  }
}
