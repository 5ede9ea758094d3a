/** The OpenAPI document, made from the routes' own schemas and the problem catalogue on first use. */
import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import Type, { type TObject } from 'typebox';
import { VERSION } from '../version.ts';
import { formatProblem, PROBLEM_TYPE, PROBLEMS, type ProblemName } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The problems that this route answers with, besides `internal`. */
    problems?: readonly ProblemName[];
    /** Request headers that the route reads, besides `Authorization`. */
    requestHeaders?: TObject;
  }
}

/** The part of OpenAPI 3.1 that the document is made of. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
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
    type: Type.String({
      format: 'uri-reference',
      description: 'The kind of problem. It ends in the problem’s name.',
    }),
    title: Type.String({ description: 'The kind of problem, for people to read.' }),
    status: Type.Integer({ description: 'The HTTP status of the answer.' }),
    detail: Type.String({ description: 'What is wrong this time.' }),
    instance: Type.String({
      format: 'uri',
      description: 'Identifies this request. The log of the service has the same id.',
    }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), detail: Type.String() }), {
        description: 'The faulty fields, with status 400. `body` is the body as a whole.',
      }),
    ),
    attempts_remaining: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The guesses left, with `code-mismatch`.' }),
    ),
  },
  { description: 'Problem details (RFC 9457).' },
);

/** The headers that come with a status. */
const RESPONSE_HEADERS: Record<string, readonly [name: string, description: string][]> = {
  '401': [['WWW-Authenticate', '`Bearer`, with `error="invalid_token"` if the key is not valid.']],
  '429': [
    ['Retry-After', 'Seconds until the request can succeed.'],
    ['RateLimit', 'The violated policy, what remains of it, and the seconds until it resets.'],
    ['RateLimit-Policy', 'The violated policy: its quota `q` and its window `w` in seconds.'],
  ],
  '503': [['Retry-After', 'Seconds to wait before trying again.']],
};

const EXAMPLE_REQUEST_ID = '7f2c1b8e-94d3-4a55-9c1f-0d6b3e2a8c47';

/** Describes the routes that are registered after it. The document is built once, on demand. */
export function describeRoutes(app: FastifyInstance): () => OpenApiDocument {
  const configs = new Map<string, FastifyContextConfig>();
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Countersign',
        version: VERSION,
        description:
          'Verifies that a user has a telephone: sends a one-time code to it and confirms the code.',
      },
      components: {
        schemas: { Problem: { ...Problem } },
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'The API key.' },
          metricsToken: { type: 'http', scheme: 'bearer', description: 'The metrics token.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-countersign',
            description: 'A session of the portal. Changes are accepted only from its own pages.',
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

/** The same for a route and for its path in the document, where parameters are in braces. */
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

/** The portal does not ask for a key, and does not tell guessers its limits. */
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
