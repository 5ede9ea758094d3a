/** GET /portal/api/accounts/:account/handset/events: the simulator's messages as they arrive. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { sendUnavailable } from '../../http/problem.ts';
import { type Access, memberOf } from '../access.ts';
import type { Handsets } from '../handset.ts';
import { AccountPath, MEMBER_PROBLEMS, SESSION } from './conventions.ts';

/** Whether the session of a request still lasts, and its person is still a member of the account. */
export type StillAdmits = (request: FastifyRequest) => Promise<boolean>;

/** How late a stream ends after its session, in ms. */
const CHECK_MS = 5_000;

export function registerHandset(
  app: FastifyInstance,
  handsets: Handsets,
  stillAdmits: StillAdmits,
  access: Access,
): void {
  app.addHook('preClose', (done) => {
    handsets.close();
    done();
  });

  app.get(
    '/portal/api/accounts/:account/handset/events',
    {
      onRequest: access.viewer,
      // A question for the head alone would leave a stream open that nobody reads.
      exposeHeadRoute: false,
      schema: {
        operationId: 'watchHandset',
        summary: 'Watch the simulator’s messages arrive',
        description:
          'Server-sent events named `message`, the newest first few at once. `Last-Event-ID` resumes; messages may come again and are known by their `id`.',
        tags: ['portal'],
        security: SESSION,
        params: AccountPath,
        response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
      },
      config: {
        problems: [...MEMBER_PROBLEMS, 'overloaded'],
        requestHeaders: Type.Object({ 'Last-Event-ID': Type.Optional(Type.String()) }),
      },
    },
    (request, reply) => {
      const { 'last-event-id': lastEventId } = request.headers;
      const stream = handsets.stream(
        memberOf(request).accountId,
        typeof lastEventId === 'string' ? lastEventId : undefined,
      );
      if (stream === undefined) return sendUnavailable(reply, 'overloaded');
      const check = setInterval(() => {
        // While the store is away nobody can tell, and nothing arrives either.
        stillAdmits(request).then(
          (admitted) => {
            if (!admitted) stream.end();
          },
          () => undefined,
        );
      }, CHECK_MS);
      stream.once('close', () => clearInterval(check));
      return (
        reply
          .type('text/event-stream; charset=utf-8')
          // The connection ends with its stream: a stop must not wait for it to be idle.
          .header('connection', 'close')
          .header('x-accel-buffering', 'no')
          .send(stream)
      );
    },
  );
}
