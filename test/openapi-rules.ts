/** What the linters of OpenAPI documents (Redocly's, Spectral's) ask for, as far as it helps those who read the document. */
import assert from 'node:assert/strict';
import type { OpenApiDocument, Operation } from '../src/http/openapi.ts';

interface Linted extends OpenApiDocument {
  readonly openapi: string;
  readonly info: OpenApiDocument['info'] & { readonly contact?: object; readonly license?: object };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly components: { readonly securitySchemes: Readonly<Record<string, unknown>> };
}

interface LintedOperation extends Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export function assertWellDescribed(document: OpenApiDocument): void {
  const { openapi, info, servers, tags, paths, components } = document as Linted;
  assert.equal(openapi, '3.1.0');
  for (const said of [info.title, info.description, info.contact, info.license]) assert.ok(said);
  // A host would be wrong everywhere else.
  assert.deepEqual(
    servers.map(({ url }) => url),
    ['/'],
  );
  for (const { name, description } of tags) assert.ok(description, name);
  const names = new Set<string>();
  const used = new Set<string>();
  const schemes = new Set<string>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries<LintedOperation>(operations)) {
      const at = `${method} ${path}`;
      const { operationId = '', summary, description, security, responses } = operation;
      assert.match(operationId, /^[a-zA-Z]+$/, at);
      assert.ok(!names.has(operationId), `${at}: two operations have one name`);
      names.add(operationId);
      assert.ok(summary && description, `${at} is not described`);
      assert.equal(operation.tags?.length, 1, at);
      for (const tag of operation.tags ?? []) used.add(tag);
      assert.ok(security !== undefined, `${at} does not say who may use it`);
      for (const requirement of security) for (const scheme of Object.keys(requirement)) schemes.add(scheme);
      const statuses = Object.keys(responses);
      assert.ok(
        statuses.some((status) => /^[23]/.test(status)),
        `${at} has no success`,
      );
      assert.ok(
        statuses.some((status) => status.startsWith('4')),
        `${at} has no 4xx`,
      );
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      const named = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      assert.deepEqual(named.map(({ name }) => name).sort(), inPath, at);
    }
  }
  assert.deepEqual([...used].sort(), tags.map(({ name }) => name).sort());
  assert.deepEqual([...schemes].sort(), Object.keys(components.securitySchemes).sort());
}
