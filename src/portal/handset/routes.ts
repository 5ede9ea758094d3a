/** GET /portal/api/accounts/:account/handset/events: the messages of test keys as they arrive. */
import Type from 'typebox';
import { isAtLeast } from '../../accounts/standing.ts';
import { sendUnavailable } from '../../http/problem.ts';
import { memberOf } from '../access.ts';
import type { Role } from '../contract.ts';
import { AccountPath } from '../conventions.ts';
import { operation } from '../operation.ts';
import type { View } from './handset.ts';

/** How late a stream ends after its session, and after a change of the role that it was opened with, in ms. */
const CHECK_MS = 5_000;

/** Viewers see that messages arrive; who may make test keys may read what they send. */
const viewOf = (role: Role): View => (isAtLeast(role, 'developer') ? 'whole' : 'covered');

export const handset = {
  watchHandset: operation(
    {
      operationId: 'watchHandset',
      summary: 'Watch the messages of test keys arrive',
      description:
        'Server-sent events named `message`, the newest first few at once. `Last-Event-ID` resumes; messages may come again and are known by their `id`. For viewers number and code are covered.',
      params: AccountPath,
      requestHeaders: Type.Object({ 'Last-Event-ID': Type.Optional(Type.String()) }),
      response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
      // A question for the head alone would leave a stream open that nobody reads.
      exposeHeadRoute: false,
      problems: ['overloaded'],
    },
    (request, reply, { lookup: { handsets, roleNow } }) => {
      const { 'last-event-id': lastEventId } = request.headers;
      const { accountId, role } = memberOf(request);
      const view = viewOf(role);
      const stream = handsets.stream(
        accountId,
        view,
        typeof lastEventId === 'string' ? lastEventId : undefined,
      );
      if (stream === undefined) return sendUnavailable(reply, 'overloaded');
      const check = setInterval(() => {
        // While the store is away nobody can tell, and nothing arrives either.
        roleNow(request).then(
          (now) => {
            // The browser asks again, and gets what the role of now may see.
            if (now === null || viewOf(now) !== view) stream.end();
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
  ),
};
