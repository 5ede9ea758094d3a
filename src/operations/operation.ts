/**
 * One operation of the portal's API: what it takes, what it does, how it answers. `portal/routes.ts` says where it is and who may use it.
 * The schemas type the handler: what it reads, and what it returns.
 */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import Type, { type Static, type TObject, type TSchema, type TUndefined } from 'typebox';
import type { RequestHook } from '../http/admission/authentication.ts';
import type { ProblemName } from '../http/problem.ts';
import { closed } from './closed.ts';
import type { NoContent } from './conventions.ts';
import { Refusal } from './refusal.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What the table of routes adds to an operation. */
interface Place {
  readonly method: HttpMethod;
  readonly url: string;
  readonly params: Names;
  readonly onRequest: RequestHook;
  readonly schema: FastifySchema;
  readonly problems: readonly ProblemName[];
}

/** The schemas of what a path names, such as `:account`. */
export type Names = Readonly<Record<string, TSchema>>;

/** A file, or a stream that stays open. */
interface Content {
  readonly content: Readonly<Record<string, { readonly schema: TSchema }>>;
}

/** How an operation answers when it does what it was asked. There is one way. */
type Responses =
  | { readonly 200: TSchema | Content }
  | { readonly 201: TSchema }
  | { readonly 204: typeof NoContent }
  | { readonly 303: TSchema };

/** What comes of each: a value, the text of a file, nothing, or the address to go to. */
type AnswerOf<R extends Responses> = R extends { readonly 204: TSchema }
  ? undefined
  : R extends { readonly 303: TSchema }
    ? string
    : R extends { readonly 200: infer S extends TSchema } | { readonly 201: infer S extends TSchema }
      ? S extends Content
        ? string | Readable
        : Static<S>
      : never;

/** An answer is read-only. */
type Final<T> = T extends Readable ? T : T extends object ? { readonly [K in keyof T]: Final<T[K]> } : T;

/** Where an operation sets headers of its answer. The answer itself is what it returns. */
export interface Reply {
  header(name: string, value: string): unknown;
  headers(values: Readonly<Record<string, string>>): unknown;
}

interface Given<P extends Names, Q extends TSchema, B extends TSchema> {
  Params: { readonly [N in keyof P]: Static<P[N]> };
  Querystring: Static<Q>;
  Body: Static<B>;
}

interface Definition<P extends Names, Q extends TSchema, B extends TSchema, R extends Responses, Deps> {
  readonly summary: string;
  readonly description: string;
  /** In addition to those that follow from its access and method. */
  readonly problems?: readonly ProblemName[];
  /** Refused while too many passwords are being derived. */
  readonly hashesPassword?: true;
  readonly exposeHeadRoute?: false;
  readonly requestHeaders?: TObject;
  /** What it reads of its path. */
  readonly params?: P;
  readonly querystring?: Q;
  readonly body?: B;
  readonly response: R;
  readonly handler: (
    request: FastifyRequest<Given<P, Q, B>>,
    deps: Deps,
    reply: Reply,
  ) => Promise<Final<AnswerOf<R>> | Refusal> | Final<AnswerOf<R>> | Refusal;
}

export interface PortalOperation<
  P extends Names = Names,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends Responses = Responses,
  Deps = never,
> {
  readonly schemas: {
    readonly params: P | undefined;
    readonly querystring: Q | undefined;
    readonly body: B | undefined;
    readonly response: R;
  };
  register(app: FastifyInstance, deps: Deps, place: Place): void;
}

/** Makes operations whose handlers need `Deps`. */
export const operationsWith =
  <Deps>() =>
  <
    R extends Responses,
    P extends Names = Record<never, TSchema>,
    Q extends TSchema = TUndefined,
    B extends TSchema = TUndefined,
  >({
    problems: own = [],
    hashesPassword,
    exposeHeadRoute,
    requestHeaders,
    params,
    handler,
    ...schema
  }: Definition<P, Q, B, R, Deps>): PortalOperation<P, Q, B, R, Deps> => {
    const { querystring, body, response } = schema;
    const [status = 200] = Object.keys(response).map(Number);
    return {
      schemas: { params, querystring, body, response },
      register: (app, deps, { method, url, params: named, onRequest, schema: placed, problems }) => {
        const all = { ...named, ...params };
        if (Object.keys(all).length > 0) placed = { ...placed, params: Type.Object(all) };
        app.route<Given<P, Q, B>>({
          method,
          url,
          onRequest,
          ...(exposeHeadRoute === false && { exposeHeadRoute }),
          schema: {
            ...placed,
            ...schema,
            ...(body !== undefined && { body: closed(body) }),
            tags: ['portal'],
          },
          config: {
            problems: [
              ...problems,
              ...own,
              ...(querystring === undefined ? [] : (['invalid-request'] as const)),
              ...(hashesPassword ? (['overloaded'] as const) : []),
            ],
            ...(requestHeaders !== undefined && { requestHeaders }),
          },
          handler: async (request, reply) => {
            const answer = await handler(request, deps, reply);
            if (answer instanceof Refusal) return answer.send(reply);
            if (status === 303) return reply.redirect(String(answer), status);
            return reply.code(status).send(answer);
          },
        });
      },
    };
  };

/** The names that an operation reads of its path. */
export type NamesOf<O> =
  O extends PortalOperation<infer P, TSchema, TSchema, Responses> ? keyof P & string : never;

/** The names in a path, such as `id` of `keys/:id`. */
type NamesIn<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? NamesIn<Head> | NamesIn<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;

/** A path that has each of these names. */
export type PathWith<Name extends string> = [Name] extends [never] ? string : Every<Name>;
type Every<Name extends string> = (
  Name extends string
    ? (path: `${string}:${Name}` | `${string}:${Name}/${string}`) => void
    : never
) extends (path: infer Path extends string) => void
  ? Path
  : never;

/** What a caller of an operation at a path gives, and gets. Undefined where there is nothing. */
export type PortalCall<Path extends string, O> =
  O extends PortalOperation<Names, infer Q, infer B, infer R>
    ? {
        readonly params: Readonly<Record<NamesIn<Path>, string>>;
        readonly query: Static<Q>;
        readonly body: Static<B>;
        readonly answer: AnswerOf<R>;
      }
    : never;
