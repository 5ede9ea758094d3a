/** GET /portal/api/accounts/:account/handset/events: the messages of test keys as they arrive. */
import Type from 'typebox';
import { isAtLeast } from '../../core/accounts/role.ts';
import { memberOf } from '../../identity/access.ts';
import type { Role } from '../../operations/contract.ts';
import { refuseBusy } from '../../operations/refusal.ts';
import { operation } from '../operation.ts';
import type { View } from './handset.ts';

/** How long a stream may outlive its session, or a change of role, in ms. */
const CHECK_MS = 5_000;

/** Viewers see that messages arrive; people who may create test keys may read them. */
const viewOf = (role: Role): View => (isAtLeast(role, 'developer') ? 'whole' : 'covered');

export const handset = {
  watchHandset: operation({
    summary: 'Watch messages of test keys arrive',
    description:
      'Server-sent events named `message`, starting with the newest few. `Last-Event-ID` resumes the stream. A message may come again with the same `id`. Viewers do not see the number and the code.',
    requestHeaders: Type.Object({ 'Last-Event-ID': Type.Optional(Type.String()) }),
    response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
    // A HEAD request would leave a stream open that nobody reads.
    exposeHeadRoute: false,
    problems: ['overloaded'],
    handler: (request, { clock, lookup: { handsets, roleNow } }, reply) => {
      const { 'last-event-id': lastEventId } = request.headers;
      const { accountId, role } = memberOf(request);
      const view = viewOf(role);
      const stream = handsets.stream(
        accountId,
        view,
        typeof lastEventId === 'string' ? lastEventId : undefined,
      );
      if (stream === undefined) return refuseBusy();
      const check = clock.every(CHECK_MS, () => {
        // While the store is down the role is unknown, but nothing arrives either.
        roleNow(request).then(
          (now) => {
            // The browser reconnects, and gets what the new role may see.
            if (now === null || viewOf(now) !== view) stream.end();
          },
          () => undefined,
        );
      });
      stream.once('close', () => check[Symbol.dispose]());
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        // The connection ends with its stream, so that a stop does not wait for it.
        connection: 'close',
        'x-accel-buffering': 'no',
      });
      return stream;
    },
  }),
};
