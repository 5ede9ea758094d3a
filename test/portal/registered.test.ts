/**
 * The suites that walk all routes (roles, other accounts, requests of other sites, fresh proofs, secrets) know them from their
 * description. Here: there is no route of the portal that the description does not have.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PREFIX, ROUTES } from '../../src/portal/routes.ts';
import { onTwoNodes } from '../acceptance/target.ts';
import { listRoutes } from './catalogue.ts';
import { startPortal } from './rig.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

/** Where routes are made: from the table, and for files, which are public. */
const MAKERS = ['operations/operation.ts', 'portal/front-end/front-end.ts'];
const ROOMS = /^(portal|identity|operations)\//;
const MAKES =
  /\b(?:app|fastify|server|scope|instance)\.(?:route|get|head|post|put|patch|delete|options|all)\b/;
/** Leaves a route out of the description. */
const HIDES = /\bhide: true\b/;

const sources = globSync('**/*.ts', { cwd: SRC }).filter((path) => !path.endsWith('.test.ts'));
const textOf = (path: string): string => readFileSync(`${SRC}${path}`, 'utf8');

test('the description has every route of the table, and no other', { skip: onTwoNodes }, async (t) => {
  const portal = await startPortal(t);
  const described = (await listRoutes(portal.visitor())).map(
    ({ method, template }) => `${method} ${template}`,
  );
  const listed = ROUTES.map(([method, path]) => `${method} ${PREFIX}${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  assert.deepEqual(described.sort(), [...listed].sort());
  assert.equal(new Set(listed).size, listed.length);
});

test('nothing else of the portal makes a route, or hides one', () => {
  const ofPortal = sources.filter((path) => ROOMS.test(path));
  assert.deepEqual(ofPortal.filter((path) => MAKES.test(textOf(path))).sort(), MAKERS);
  assert.deepEqual(
    ofPortal.filter((path) => HIDES.test(textOf(path)) && !MAKERS.includes(path)),
    [],
  );
});

test('nobody outside of it answers below its address', () => {
  const named = sources.filter((path) => !ROOMS.test(path) && textOf(path).includes(`'${PREFIX}`));
  assert.deepEqual(named, []);
});
