/** How people sign in at the portal, against two nodes on one PostgreSQL. */
import { test } from 'node:test';
import { runOnTwoNodes } from './suite.ts';

const FILES = ['second-factor', 'set-up', 'sign-in'];
/** Where one node must know what another has judged. Signing in takes seconds on a busy machine, so not the rest. */
const ONLY = 'at once|throttled|has to wait|session';

test('signing in is green on two nodes', (t) =>
  runOnTwoNodes(
    t,
    FILES.map((name) => `portal/sign-in/${name}`),
    9,
    ONLY,
  ));
