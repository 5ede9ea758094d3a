/** Races, limits that are configured, and crashes, against two nodes on one PostgreSQL. */
import { test } from 'node:test';
import { runOnTwoNodes } from './suite.ts';

const FILES = ['races', 'limits'];
/** All races, and what is counted under limits of an own configuration. */
const ONLY =
  'exactly one|weighed|sent more than|one idempotency key makes|multiplied|at one id|each by itself';

test('races, limits that are configured and crashes are green on two nodes', (t) =>
  runOnTwoNodes(t, { files: FILES.map((name) => `acceptance/${name}`), least: 8, only: ONLY }));
