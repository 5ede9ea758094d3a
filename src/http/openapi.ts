/** The OpenAPI document, made from the routes' own schemas and the problem catalogue when it is first asked for. */
import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import Type, { type TObject } from 'typebox';
import { formatProblem, PROBLEM_TYPE, PROBLEMS, type ProblemName } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The problems that this route answers with beside `internal`. */
    problems?: readonly ProblemName[];
    /** Request headers that the route reads beside `Authorization`. */
    requestHeaders?: TObject;
  }
}

/** The part of OpenAPI 3.1 that the document is made of. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Record<string, Record<string, Operation>>;
}

export interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, Response>;
}

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
}

interface Response {
  readonly description: string;
  readonly headers?: Record<string, { readonly description: string; readonly schema: Schema }>;
  readonly content?: Record<
    string,
    { readonly schema: unknown; readonly examples?: Record<string, { readonly value: unknown }> }
  >;
}

const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'The kind of problem; ends in its name.' }),
    title: Type.String({ description: 'The kind of problem, for people.' }),
    status: Type.Integer({ description: 'The status of the answer.' }),
    detail: Type.String({ description: 'What is wrong this time.' }),
    instance: Type.String({
      format: 'uri',
      description: 'Names this request; the log of the service has its id.',
    }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), detail: Type.String() }), {
        description: 'The faulty fields; `body` stands for the body as a whole. With status 400.',
      }),
    ),
    attempts_remaining: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The guesses left. With `code-mismatch`.' }),
    ),
  },
  { description: 'Problem details (RFC 9457).' },
);

/** The headers that come with a status. */
const RESPONSE_HEADERS: Record<string, readonly [name: string, description: string][]> = {
  '401': [['WWW-Authenticate', '`Bearer`, with `error="invalid_token"` when a key came and is not valid.']],
  '429': [
    ['Retry-After', 'Seconds until the request can succeed.'],
    ['RateLimit', 'The policy that was violated, what remains of it and for how many seconds.'],
    ['RateLimit-Policy', 'The policy that was violated: its quota `q` and its window `w` in seconds.'],
  ],
  '503': [['Retry-After', 'Seconds after which to ask again.']],
};

const EXAMPLE_REQUEST_ID = '7f2c1b8e-94d3-4a55-9c1f-0d6b3e2a8c47';

/** Watches the routes that are registered after it, and describes them on demand. Built once. */
export function describeRoutes(app: FastifyInstance): () => OpenApiDocument {
  const configs = new Map<string, FastifyContextConfig>();
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Countersign',
        version: '1',
        description:
          'Verifies that a user holds a telephone: sends a one-time code by SMS or voice call and confirms it.',
      },
      components: {
        schemas: { Problem: { ...Problem } },
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'The API key, as it is.' },
          metricsToken: { type: 'http', scheme: 'bearer', description: 'The token of the metrics.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-countersign',
            description: 'A session of the portal. Changes are taken from its own pages alone.',
          },
        },
      },
    },
    transform: ({ schema, url, route: { method, config = {} } }) => {
      for (const name of [method].flat()) configs.set(operationKey(name, url), config);
      return { url, schema: config.requestHeaders ? { ...schema, headers: config.requestHeaders } : schema };
    },
  });
  let document: OpenApiDocument | undefined;
  return () => {
    if (document === undefined) {
      // The plugin's own type is a union over every version of OpenAPI that it can write.
      document = app.swagger() as unknown as OpenApiDocument;
      for (const [path, operations] of Object.entries(document.paths)) {
        for (const [method, operation] of Object.entries(operations)) {
          addProblems(operation, configs.get(operationKey(method, path))?.problems ?? []);
        }
      }
    }
    return document;
  };
}

/** The same for a route and for what the document makes of it, where parameters stand in braces. */
function operationKey(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
}

function addProblems(operation: Operation, names: readonly ProblemName[]): void {
  const byStatus = Map.groupBy<number, ProblemName>(
    new Set([...names, 'internal' as const]),
    (name) => PROBLEMS[name].status,
  );
  for (const [status, group] of byStatus) {
    const headers = RESPONSE_HEADERS[status]?.filter(([name]) =>
      group.some((problem) => carries(problem, name)),
    );
    operation.responses[status] = {
      description: group.map((name) => PROBLEMS[name].title).join('; '),
      ...(headers !== undefined &&
        headers.length > 0 && {
          headers: Object.fromEntries(
            headers.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
          ),
        }),
      content: {
        [PROBLEM_TYPE]: {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(group.map((name) => [name, { value: exampleOf(name) }])),
        },
      },
    };
  }
}

/** The portal challenges nobody to bring a key, and names no policy to those who guess. */
function carries(problem: ProblemName, header: string): boolean {
  if (problem === 'not-signed-in' || problem === 'sign-in-failed') return false;
  return problem !== 'too-many-attempts' || header === 'Retry-After';
}

function exampleOf(name: ProblemName): unknown {
  if (name === 'invalid-request') {
    const errors = [{ field: 'channel', detail: 'is required' }];
    return JSON.parse(formatProblem(name, EXAMPLE_REQUEST_ID, { errors }));
  }
  const members = name === 'code-mismatch' ? { attempts_remaining: 4 } : undefined;
  return JSON.parse(formatProblem(name, EXAMPLE_REQUEST_ID, members));
}
