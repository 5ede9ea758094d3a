/** Every route of the running service is in the table of routes, is described, and is guarded as the table says. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { OpenApiDocument } from '../../src/http/openapi.ts';
import { PREFIX, ROUTES } from '../../src/portal/routes.ts';
import { problemOf } from '../acceptance/client.ts';
import { onTwoNodes } from '../acceptance/target.ts';
import { assertWellDescribed } from '../openapi-rules.ts';
import { listRoutes } from './catalogue.ts';
import { ageProofs, firstAccount, read, sharePortal } from './rig.ts';

const openPlace = sharePortal();

const TABLE = ROUTES.map(([method, path, access]) => ({
  name: `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  ...access,
}));

test('every route of the running service is in the table once, and is described as it says', async (t) => {
  const portal = await openPlace(t);
  assertWellDescribed(read<OpenApiDocument>(await portal.visitor().get('/portal/openapi.json')));
  const running = new Map((await listRoutes(portal.visitor())).map((route) => [route.name, route]));
  assert.deepEqual(TABLE.map(({ name }) => name).sort(), [...running.keys()].sort());
  for (const { name, who, proof } of TABLE) {
    const route = running.get(name);
    assert.ok(route !== undefined, name);
    const isRole = who !== 'anybody' && who !== 'signed-in';
    assert.equal(route.ofAccount, isRole, `${name}: a role is one in the account that the path names`);
    assert.equal(route.asksForSession, who !== 'anybody', name);
    const says = (problem: string) => route.problems.includes(problem);
    assert.equal(says('not-signed-in'), who !== 'anybody', name);
    assert.equal(says('proof-needed'), proof !== 'unproven', name);
    assert.equal(says('cross-site'), route.changes, name);
    if (isRole) assert.ok(says('forbidden') && says('not-found'), name);
  }
});

// Two of one name would be one: the second would answer at both places.
test('every operation has a name and a place of its own', () => {
  const names = ROUTES.map(([, , , operation]) => operation);
  const files = globSync('../../src/{portal,identity}/**/*routes.ts', { cwd: import.meta.dirname });
  const made = files.flatMap((file) =>
    [
      ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(
        /^ {2}(\w+): (?:operation|identityOperation)\(/gm,
      ),
    ].map(([, name]) => name),
  );
  assert.deepEqual(made.sort(), [...names].sort());
});

// Times are moved back in the folder's own database.
const own = { skip: onTwoNodes };

test('what the table says is required: a session, and a fresh proof', own, async (t) => {
  const portal = await openPlace(t);
  const owner = await portal.setUp();
  const nobody = portal.visitor();
  const { id: account } = await firstAccount(owner);
  const running = new Map((await listRoutes(portal.visitor())).map((route) => [route.name, route]));
  ageProofs(portal, 11);
  for (const { name, who, proof } of TABLE) {
    const route = running.get(name);
    assert.ok(route !== undefined, name);
    const path = route.path({ account }) + route.query;
    if (who !== 'anybody') {
      const refused = await nobody.send(route.method, path, route.body);
      assert.equal(problemOf(refused), 'not-signed-in', name);
    }
    if (proof !== 'proven') continue;
    assert.equal(problemOf(await owner.send(route.method, path, route.body)), 'proof-needed', name);
  }
  assert.equal((await owner.get(`${PREFIX}me`)).status, 200);
});
