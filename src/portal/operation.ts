/** One operation of the portal's API: what it takes, what it does, how it answers. `routes.ts` says who may use it. */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify';
import type { TObject } from 'typebox';
import type { RequestHook } from '../http/admission/authentication.ts';
import type { ProblemName } from '../http/problem.ts';
import type { Portal } from './deps.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What the table of routes adds to an operation. */
interface Place {
  readonly method: Method;
  readonly url: string;
  readonly onRequest: RequestHook;
  readonly schema: FastifySchema;
  readonly problems: readonly ProblemName[];
}

type Register = (app: FastifyInstance, portal: Portal, place: Place) => void;

type Answer<Route extends RouteGenericInterface> = ReturnType<
  RouteHandlerMethod<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, Route>
>;

interface Operation<Route extends RouteGenericInterface> extends FastifySchema {
  readonly summary: string;
  readonly description: string;
  /** In addition to those that follow from its access and method. */
  readonly problems?: readonly ProblemName[];
  /** Refused while too many passwords are being derived. */
  readonly hashesPassword?: true;
  readonly exposeHeadRoute?: false;
  readonly requestHeaders?: TObject;
  readonly handler: (
    request: FastifyRequest<Route>,
    reply: FastifyReply<Route>,
    portal: Portal,
  ) => Answer<Route>;
}

export function operation<Route extends RouteGenericInterface = RouteGenericInterface>({
  problems: own = [],
  hashesPassword,
  exposeHeadRoute,
  requestHeaders,
  handler,
  ...schema
}: Operation<Route>): Register {
  return (app, portal, { method, url, onRequest, schema: placed, problems }) => {
    app.route<Route>({
      method,
      url,
      onRequest,
      ...(exposeHeadRoute === false && { exposeHeadRoute }),
      schema: { ...placed, ...schema, tags: ['portal'] },
      config: {
        problems: [
          ...problems,
          ...own,
          ...(schema.querystring === undefined ? [] : (['invalid-request'] as const)),
          ...(hashesPassword ? (['overloaded'] as const) : []),
        ],
        ...(requestHeaders !== undefined && { requestHeaders }),
      },
      handler: (request, reply) => handler(request, reply, portal),
    });
  };
}
