/** How people sign in at the portal, against two nodes on one PostgreSQL. */
import { test } from 'node:test';
import { runOnTwoNodes } from './suite.ts';

const FILES = ['second-factor', 'set-up', 'sign-in'];
/**
 * Where one node must know what another has judged. Signing in takes seconds on a busy machine, so not the rest: sessions
 * that end are in `portal.test.ts`, and an address that guesses is counted as a person's guesses are.
 */
const ONLY = 'at once|throttled|begins one session|never adopted';

test('signing in is green on two nodes', (t) =>
  runOnTwoNodes(t, { files: FILES.map((name) => `portal/sign-in/${name}`), least: 6, only: ONLY }));
