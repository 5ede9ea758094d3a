/** The portal's own tests against two nodes on one PostgreSQL: every statement of the portal runs there too. */
import { test } from 'node:test';
import { runOnTwoNodes } from './suite.ts';

// `secrecy` walks through every route.
const FILES = ['keys', 'members', 'numbers', 'routes', 'secrecy', 'settings'];

test('the portal is green on two nodes', (t) =>
  runOnTwoNodes(
    t,
    FILES.map((name) => `portal/${name}`),
    20,
  ));
