/** Tests of the portal against two nodes on one PostgreSQL. */
import { test } from 'node:test';
import { runOnTwoNodes } from './suite.ts';

// `secrecy` walks through every route, so every statement of the portal runs there too.
const FILES = ['keys', 'numbers', 'secrecy'];

test('the portal is green on two nodes', (t) =>
  runOnTwoNodes(
    t,
    FILES.map((name) => `portal/${name}`),
    10,
  ));
