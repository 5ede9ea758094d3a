/** A span for each request that a client makes with its key. Carriers and people are not asked for a trace. */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readContext } from './context.ts';
import { KIND, type Span, type Tracer } from './span.ts';

/** Names as in the API's document, by the routes of the server. */
const ROUTES: ReadonlyMap<string, string> = new Map([
  ['/verify', '/verify'],
  ['/confirm', '/confirm'],
  ['/verifications/:id', '/verifications/{id}'],
]);

export function traceRequests(app: FastifyInstance, tracer: Tracer, current: AsyncLocalStorage<Span>): void {
  const spans = new WeakMap<FastifyRequest, Span>();

  app.addHook('onRequest', (request, reply, done) => {
    const route = ROUTES.get(request.routeOptions.url ?? '');
    if (route === undefined) return done();
    const { method, headers, protocol } = request;
    const attributes = { 'http.request.method': method, 'http.route': route, 'url.scheme': protocol };
    const caller = readContext(headers.traceparent, headers.tracestate);
    const span = tracer.serve({ name: `${method} ${route}`, kind: KIND.server, attributes }, caller);
    spans.set(request, span);
    // Without an answer there is no response either.
    reply.raw.once('close', () => {
      if (!spans.delete(request)) return;
      span.set({ 'countersign.outcome': 'client gone' });
      span.end(tracer.now());
    });
    current.run(span, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    if (span !== undefined && spans.delete(request)) conclude(span, request, reply, tracer.now());
    done();
  });
}

function conclude(span: Span, request: FastifyRequest, reply: FastifyReply, at: number): void {
  const { statusCode } = reply;
  span.set({
    'http.response.status_code': statusCode,
    'countersign.problem': request.problem ?? undefined,
  });
  if (statusCode >= 500) span.fail(String(statusCode));
  span.end(at);
}
