/** OpenAPI documents, made from the routes' own schemas and the problem catalogue on first use. */
import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import Type, { type TObject } from 'typebox';
import { BASIC_CHANNELS, type Channel } from '../core/destination/channel.ts';
import { FIELD_ERROR_CODES } from '../core/errors/field-error.ts';
import { VERSION } from '../version.ts';
import {
  formatProblem,
  PROBLEM_NAMES,
  PROBLEM_TYPE,
  PROBLEMS,
  type ProblemName,
  problemPath,
} from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The problems that this route answers with, besides those that every route has. */
    problems?: readonly ProblemName[];
    /** Request headers that the route reads, besides `Authorization`. */
    requestHeaders?: TObject;
  }
}

/** The part of OpenAPI 3.1 that the document is made of. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  /** The groups of its operations, in their order. */
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
}

export interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
    readonly description?: string;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, Response>;
}

export interface Schema {
  readonly $ref?: string;
  /** Several: a value of any of them. */
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly examples?: readonly unknown[];
}

export interface Response {
  readonly description: string;
  readonly headers?: Record<string, { readonly description: string; readonly schema: Schema }>;
  readonly content?: Record<
    string,
    {
      readonly schema: Schema;
      readonly example?: unknown;
      readonly examples?: Record<string, { readonly value: unknown }>;
    }
  >;
}

const Problem = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      enum: PROBLEM_NAMES.map(problemPath),
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
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'The name of the field. `body` is the body as a whole.' }),
          code: Type.String({
            enum: Object.keys(FIELD_ERROR_CODES),
            description: 'Why it is refused, for programs.',
          }),
          detail: Type.String({ description: 'Why it is refused, for people.' }),
        }),
        { description: 'The faulty fields, with status 400.' },
      ),
    ),
    attempts_remaining: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The guesses left, with `code-mismatch`.' }),
    ),
    budget: Type.Optional(
      Type.String({
        description: 'Which budget has no room, with `budget-exhausted`: such as `account per day`.',
      }),
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

/** Every request can meet these, before its route sees it or in spite of it. */
const EVERYWHERE = ['malformed-http', 'internal'] as const satisfies readonly ProblemName[];

type SecurityScheme = { readonly description: string } & (
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'apiKey'; readonly in: string; readonly name: string }
);

/** What a document says besides its operations. */
export interface DescribedSubject {
  /** Where it is served. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** The groups of its operations, each with its description. */
  readonly tags: Readonly<Record<string, string>>;
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
}

/**
 * Describes and serves the routes that are registered in the scope after it. The document is built on demand, and again when
 * other channels are offered.
 */
export async function describeRoutes(
  scope: FastifyInstance,
  { path: documentPath, title, description, tags, securitySchemes }: DescribedSubject,
  channels: () => readonly Channel[] = () => BASIC_CHANNELS,
): Promise<() => OpenApiDocument> {
  const configs = new Map<string, FastifyContextConfig>();
  await scope.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: VERSION,
        description,
        contact: { name: 'The operator of this installation' },
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This installation.' }],
      tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
      components: { schemas: { Problem: { ...Problem } }, securitySchemes: { ...securitySchemes } },
    },
    transform: ({ schema, url, route: { method, config = {} } }) => {
      for (const name of [method].flat()) configs.set(operationKey(name, url), config);
      return { url, schema: config.requestHeaders ? { ...schema, headers: config.requestHeaders } : schema };
    },
  });
  const build = () => {
    // The plugin's own type is a union over every version of OpenAPI that it can write.
    const document = scope.swagger() as unknown as OpenApiDocument;
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        addProblems(operation, configs.get(operationKey(method, path))?.problems ?? []);
      }
    }
    return document;
  };
  let built: OpenApiDocument | undefined;
  let shown: { readonly document: OpenApiDocument; readonly channels: string } | undefined;
  const describe = () => {
    const offered = channels();
    if (shown?.channels !== offered.join()) {
      built ??= build();
      shown = { document: withChannels(built, offered), channels: offered.join() };
    }
    return shown.document;
  };
  scope.get(documentPath, { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(describe())),
  );
  return describe;
}

/** The document with what is offered now wherever a field says a channel. */
function withChannels(document: OpenApiDocument, offered: readonly Channel[]): OpenApiDocument {
  if (offered.length === BASIC_CHANNELS.length) return document;
  const basic = BASIC_CHANNELS.join();
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'enum' && Array.isArray(value) && value.join() === basic ? offered : value,
  );
}

/** The same for a route and for its path in the document, where parameters are in braces. */
function operationKey(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
}

function addProblems(operation: Operation, names: readonly ProblemName[]): void {
  const byStatus = Map.groupBy<number, ProblemName>(
    new Set([...names, ...EVERYWHERE]),
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
          examples: Object.fromEntries(group.map((name) => [name, { value: problemExample(name) }])),
        },
      },
    };
  }
}

const WITHOUT_POLICY: ReadonlySet<ProblemName> = new Set([
  'too-many-attempts',
  'asked-too-often',
  'budget-exhausted',
]);

/** The portal does not ask for a key, and does not tell guessers its limits. */
function carries(problem: ProblemName, header: string): boolean {
  if (problem === 'not-signed-in' || problem === 'sign-in-failed') return false;
  return !WITHOUT_POLICY.has(problem) || header === 'Retry-After';
}

export function problemExample(name: ProblemName): unknown {
  if (name === 'invalid-request') {
    const errors = [{ field: 'channel', code: 'missing', detail: 'is required' }] as const;
    return JSON.parse(formatProblem(name, EXAMPLE_REQUEST_ID, { errors }));
  }
  const members = {
    ...(name === 'code-mismatch' && { attempts_remaining: 4 }),
    ...(name === 'budget-exhausted' && { budget: 'account per day' }),
  };
  return JSON.parse(formatProblem(name, EXAMPLE_REQUEST_ID, members));
}
