/** The portal's routes as its OpenAPI document lists them, so that new routes are tested too. */
import assert from 'node:assert/strict';
import type { OpenApiDocument, Schema } from '../../src/http/openapi.ts';
import { read, type Visitor } from './rig.ts';

export interface Route {
  readonly method: string;
  /** With parameters in braces: `/portal/api/accounts/{account}/keys`. */
  readonly template: string;
  /** The name of the operation, such as `GET me`. */
  readonly name: string;
  readonly ofAccount: boolean;
  readonly changes: boolean;
  readonly asksForSession: boolean;
  /** A body that the schema accepts. */
  readonly body: unknown;
  /** The query that the schema requires. */
  readonly query: string;
  /** All that a query may name. */
  readonly queries: readonly string[];
  /** Of its body. */
  readonly schema: Sampled | undefined;
  /** The types of problems that the document promises. */
  readonly problems: readonly string[];
  /** The path with its parameters filled in; ids that are not given do not exist. */
  path(params?: Readonly<Record<string, string>>): string;
}

const PREFIX = '/portal/api/';

interface Operation {
  readonly security: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly examples?: object }> }>;
}

export async function listRoutes(visitor: Visitor): Promise<readonly Route[]> {
  const document = read<OpenApiDocument>(await visitor.get('/portal/openapi.json'));
  const routes = Object.entries(document.paths)
    .filter(([template]) => template.startsWith(PREFIX))
    .flatMap(([template, operations]) =>
      Object.entries(operations).map(([method, operation]) =>
        routeOf(method.toUpperCase(), template, operation as unknown as Operation),
      ),
    );
  assert.ok(routes.length > 40, `${routes.length} routes`);
  return routes;
}

function routeOf(method: string, template: string, operation: Operation): Route {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const queries = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
  const asked = queries.filter(({ required }) => required);
  const query = new URLSearchParams(asked.map(({ name }) => [name, QUERY[name] ?? 'x']));
  const problems = Object.values(operation.responses).flatMap(({ content }) =>
    Object.keys(content?.['application/problem+json']?.examples ?? {}),
  );
  return {
    method,
    template,
    name: `${method} ${template.slice(PREFIX.length)}`,
    ofAccount: template.includes('{account}'),
    changes: method !== 'GET',
    asksForSession: operation.security.length > 0,
    body: schema === undefined ? undefined : sampleOf(schema),
    query: query.size === 0 ? '' : `?${query}`,
    queries: queries.map(({ name }) => name),
    schema,
    problems,
    path: (params = {}) => template.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'nothing_0'),
  };
}

const QUERY: Readonly<Record<string, string>> = {
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date().toISOString(),
};

export interface Sampled extends Schema {
  readonly items?: Sampled;
  readonly anyOf?: readonly Sampled[];
  readonly const?: unknown;
  readonly properties?: Record<string, Sampled>;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
}

/** Of fields that the service reads further than their schema says. */
export const SAMPLES = {
  number: '+4915112345678',
  prefix: '+88213',
  /** A name that never stands for an address (RFC 6761). */
  url: 'https://hooks.invalid/countersign',
} as const;

/** The shortest match of each pattern in use. */
const TEXTS: readonly (readonly [mark: string, text: string])[] = [
  ['@', 'somebody@example.com'],
  ['[A-Z]{2}', 'DE'],
  ['(s|m|h|d)', '5/10m'],
  ['[0-9]{6}', '123456'],
  ['[a-z]{2,3}', 'de'],
];

function sampleOf(schema: Sampled, field = ''): unknown {
  const given = Object.entries(SAMPLES).find(([name]) => name === field);
  if (given !== undefined) return given[1];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return null;
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {}, name)]),
      );
    case 'array':
      return [];
    case 'boolean':
      return true;
    case 'integer':
      return schema.minimum ?? 0;
    default: {
      const text = TEXTS.find(([mark]) => schema.pattern?.includes(mark))?.[1];
      return text ?? 'a harbour lantern and a quill'.slice(0, Math.max(schema.minLength ?? 0, 25));
    }
  }
}
