/** Text that PostgreSQL cannot keep: refused alike with either store, wherever somebody says it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envOf, type StoreKind } from '../doors/doors.ts';
import { listRoutes, type Route, type Sampled } from './catalogue.ts';
import { firstAccount, startPortal } from './rig.ts';

interface Asked {
  /** The route, and where in its request the text is. */
  readonly name: string;
  readonly route: Route;
  readonly path: string;
  readonly body: unknown;
}

/** A request for each place of a route that takes text. */
function* requestsOf(route: Route, account: string): Generator<Asked> {
  const { name, template, body, query } = route;
  for (const [, param = ''] of template.matchAll(/\{(\w+)\}/g)) {
    yield { name: `${name} :${param}`, route, path: route.path({ account, [param]: 'a%00b' }) + query, body };
  }
  for (const each of route.queries) {
    const said = new URLSearchParams(query);
    said.set(each, 'a\0b');
    yield { name: `${name} ?${each}`, route, path: `${route.path({ account })}?${said}`, body };
  }
  for (const [field, wrong] of bodiesWith('a\0b', route.schema, body)) {
    yield { name: `${name} ${field}`, route, path: route.path({ account }) + query, body: wrong };
  }
  for (const [field, wrong] of bodiesWith('a\ud800b', route.schema, body)) {
    yield { name: `${name} ${field}, half`, route, path: route.path({ account }) + query, body: wrong };
  }
}

/** The sample with the text at each place of the schema where a text may be, once. */
function* bodiesWith(
  text: string,
  schema: Sampled | undefined,
  sample: unknown,
  at = '',
): Generator<readonly [field: string, body: unknown]> {
  if (schema?.type === 'string') yield [at, text.padEnd(schema.minLength ?? 0, '.')];
  for (const each of schema?.anyOf ?? []) yield* bodiesWith(text, each, undefined, at);
  for (const [field, body] of schema?.items ? bodiesWith(text, schema.items, undefined, `${at}[]`) : [])
    yield [field, [body]];
  for (const [name, inner] of Object.entries(schema?.properties ?? {})) {
    const whole: Record<string, unknown> = { ...(sample as object | undefined) };
    for (const [field, body] of bodiesWith(text, inner, whole[name], `${at}.${name}`))
      yield [field, { ...whole, [name]: body }];
  }
}

/** What each request is answered, by somebody who may do everything, and by somebody who is nobody. */
async function answersWith(kind: StoreKind): Promise<Readonly<Record<string, string>>> {
  await using parts = new AsyncDisposableStack();
  const scope = { after: (close: () => unknown) => parts.defer(async () => void (await close())) };
  const rig = await startPortal(scope, { env: await envOf(kind, parts) });
  const owner = await rig.setUp();
  const { id: account } = await firstAccount(owner);
  const routes = await listRoutes(owner);
  const answers: Record<string, string> = {};
  for (const { name, route, path, body } of routes.flatMap((each) => [...requestsOf(each, account)])) {
    const asked = [owner, rig.visitor()].map((who) => who.send(route.method, path, body));
    answers[name] = (await Promise.all(asked)).map(({ status }) => status).join(', ');
  }
  assert.doesNotMatch(rig.service.logs(), /"level":"error"/);
  return answers;
}

test('a NUL or half of a surrogate pair is refused wherever it is said, with either store', async () => {
  const embedded = await answersWith('embedded');
  assert.ok(Object.keys(embedded).length > 150, `${Object.keys(embedded).length} places`);
  const done = Object.entries(embedded).filter(([, statuses]) => !/^4\d\d, 4\d\d$/.test(statuses));
  assert.deepEqual(done, []);
  assert.deepEqual(await answersWith('shared'), embedded);
});
