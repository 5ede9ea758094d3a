/** Races, limits that are configured, and crashes, against two nodes on one PostgreSQL. */
import { test } from 'node:test';
import { runOnTwoNodes } from './suite.ts';

const FILES = ['races', 'limits', 'idempotency', 'confirm'];
/** All races; of the others, where one node must know what another has counted or written. */
const ONLY =
  'exactly one|weighed|sent more than|one idempotency key makes|multiplied|at one id|each key by itself|hold together|every key of the account|same account';

test('races, limits that are configured and crashes are green on two nodes', (t) =>
  runOnTwoNodes(t, { files: FILES.map((name) => `acceptance/${name}`), least: 11, only: ONLY }));
