/** The client knows what the OpenAPI document says: its shapes, and every problem of every operation. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Countersign, CountersignError } from '../../client/src/index.ts';
import { CHANNEL_NAMES } from '../../src/core/destination/channel.ts';
import { createFixture } from '../../src/http/fixture.ts';
import type { OpenApiDocument, Operation, Schema } from '../../src/http/openapi.ts';
import { ROOT } from '../deploy/project.ts';
import { clientOf } from './answers.ts';

type Document = OpenApiDocument & { readonly components: { readonly schemas: { readonly Problem: Schema } } };

async function readDocument(t: TestContext): Promise<Document> {
  // Of a service that offers every channel: what others offer fits, too.
  const { app } = await createFixture(t, { channels: CHANNEL_NAMES });
  return JSON.parse((await app.inject('/openapi.json')).payload);
}

function operationOf(document: OpenApiDocument, method: string, path: string): Operation {
  const operation = document.paths[path]?.[method];
  assert.ok(operation, `${method} ${path}`);
  return operation;
}

/** A JSON schema as a type of TypeScript. */
function typeOf(schema: Schema | undefined): string {
  assert.ok(schema);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.type === 'array') return `readonly (${typeOf(schema.items)})[]`;
  if (schema.type === 'integer') return 'number';
  if (schema.type !== 'object') return [schema.type ?? 'unknown'].flat().join(' | ');
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, inner]) => `readonly ${name}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(inner)};`,
  );
  return `{ ${members.join(' ')} }`;
}

const bodyOf = ({ requestBody }: Operation) => typeOf(requestBody?.content['application/json']?.schema);
const answerOf = ({ responses }: Operation) => typeOf(responses[200]?.content?.['application/json']?.schema);

test('its types fit the document: what it sends is taken, what is answered is understood', async (t) => {
  const document = await readDocument(t);
  const verify = operationOf(document, 'post', '/verify');
  const confirm = operationOf(document, 'post', '/confirm');
  const read = operationOf(document, 'get', '/verifications/{id}');
  const feedback = operationOf(document, 'post', '/verifications/{id}/feedback');
  const messages = operationOf(document, 'get', '/simulator/messages');
  const problem = document.components.schemas.Problem;
  const folder = mkdtempSync(join(tmpdir(), 'countersign-types-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'fits.ts'),
    `import type * as ours from '${join(ROOT, 'client/src/wire.ts')}';
    import type { Problem } from '${join(ROOT, 'client/src/errors.ts')}';
    /** Ours may be asked for \`undefined\`, which JSON leaves out. */
    type Sent<T> = T extends object ? { [name in keyof T]: Sent<Exclude<T[name], undefined>> } : T;
    /** With every field that may be missing, so that one that only the document has is noticed. */
    type Whole<T> = T extends object ? { [name in keyof T]-?: Whole<Exclude<T[name], undefined>> } : T;
    type Fits<From extends To, To> = [From, To];
    export type Checks = [
      Fits<Sent<ours.VerifyRequest>, ${bodyOf(verify)}>,
      Fits<Whole<ours.VerifyRequest>, Whole<${bodyOf(verify)}>>,
      Fits<Whole<${bodyOf(verify)}>, Whole<ours.VerifyRequest>>,
      Fits<${bodyOf(verify)}, ours.VerifyRequest>,
      Fits<ours.ConfirmRequest, ${bodyOf(confirm)}>,
      Fits<${bodyOf(confirm)}, ours.ConfirmRequest>,
      Fits<${answerOf(verify)}, ours.VerifyAnswer>,
      Fits<${answerOf(confirm)}, ours.ConfirmAnswer>,
      Fits<ours.FeedbackRequest, ${bodyOf(feedback)}>,
      Fits<${bodyOf(feedback)}, ours.FeedbackRequest>,
      Fits<${answerOf(feedback)}, ours.FeedbackAnswer>,
      Fits<${answerOf(read)}, ours.VerificationAnswer>,
      Fits<Whole<ours.VerificationAnswer>, Whole<${answerOf(read)}>>,
      Fits<${answerOf(messages)}, readonly ours.SimulatorMessage[]>,
      Fits<${typeOf(problem)}, Problem>,
    ];`,
  );
  const tsconfig = {
    extends: join(ROOT, 'client/tsconfig.json'),
    compilerOptions: { noEmit: true, rootDir: '/', rewriteRelativeImportExtensions: false },
    files: ['fits.ts'],
    include: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    assert.fail(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error));
  }
});

type Call = (countersign: Countersign) => Promise<{ readonly kind: string }>;

/** What each problem of an operation comes to: the kind of a result, or the class of an error. */
async function outcomes({ responses }: Operation, call: Call): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [status, { content }] of Object.entries(responses)) {
    const examples = content?.['application/problem+json']?.examples ?? {};
    for (const [name, { value }] of Object.entries(examples)) {
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
      const answer = () => Response.json(value, { status: Number(status), headers });
      found[name] = await call(clientOf([answer], { maxRetries: 0 }).countersign).then(
        ({ kind }) => kind,
        ({ name }: CountersignError) => name,
      );
    }
  }
  return found;
}

const ALWAYS = {
  'invalid-request': 'InvalidRequestError',
  'malformed-http': 'InvalidRequestError',
  unauthenticated: 'AuthenticationError',
  'invalid-key': 'AuthenticationError',
  internal: 'ServiceError',
  overloaded: 'ServiceError',
  unavailable: 'ServiceError',
  'outcome-unknown': 'ServiceError',
};

const REPEATED = {
  'idempotency-in-progress': 'CountersignError',
  'idempotency-key-reused': 'InvalidRequestError',
};

test('every problem in the document comes to a result or an error on purpose', async (t) => {
  const document = await readDocument(t);
  const verify = operationOf(document, 'post', '/verify');
  assert.deepEqual(
    await outcomes(verify, (client) => client.verify({ destination: '+12025550123', channel: 'sms' })),
    {
      ...ALWAYS,
      ...REPEATED,
      'rate-limited': 'limited',
      'quota-exceeded': 'limited',
      'daily-cap-reached': 'limited',
      'budget-exhausted': 'budget-exhausted',
      guarded: 'guarded',
    },
  );
  const confirm = operationOf(document, 'post', '/confirm');
  assert.deepEqual(await outcomes(confirm, (client) => client.confirm('ver_1', '123456')), {
    ...ALWAYS,
    ...REPEATED,
    'code-mismatch': 'mismatch',
    'attempts-exhausted': 'exhausted',
    'verification-expired': 'expired',
    'already-confirmed': 'already-confirmed',
    'verification-not-found': 'not-found',
  });
  const read = operationOf(document, 'get', '/verifications/{id}');
  const found = { ...ALWAYS, 'verification-not-found': 'not-found', 'rate-limited': 'limited' };
  assert.deepEqual(await outcomes(read, (client) => client.get('ver_1')), found);
  const feedback = operationOf(document, 'post', '/verifications/{id}/feedback');
  assert.deepEqual(await outcomes(feedback, (client) => client.feedback('ver_1', 'fraud')), found);
});
