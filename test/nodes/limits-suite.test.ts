/** Limits, races and the simulator, against two nodes on one PostgreSQL. */
import { test } from 'node:test';
import { runOnTwoNodes } from './suite.ts';

const FILES = ['limits', 'simulator', 'races'];

test('limits, races and the simulator are green on two nodes', (t) =>
  runOnTwoNodes(
    t,
    FILES.map((name) => `acceptance/${name}`),
    28,
  ));
