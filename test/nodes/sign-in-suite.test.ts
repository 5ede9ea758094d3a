/** How people sign in at the portal, against two nodes on one PostgreSQL. */
import { test } from 'node:test';
import { runOnTwoNodes } from './suite.ts';

const FILES = ['second-factor', 'set-up', 'sign-in'];

test('signing in is green on two nodes', (t) =>
  runOnTwoNodes(
    t,
    FILES.map((name) => `portal/sign-in/${name}`),
    12,
  ));
