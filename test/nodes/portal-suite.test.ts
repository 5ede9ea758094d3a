/** Tests of the portal against two nodes on one PostgreSQL. */
import { test } from 'node:test';
import { runOnTwoNodes } from './suite.ts';

// `secrecy` walks through every route, so every statement of the portal runs there too.
const FILES = ['keys', 'secrecy'];
/** Where one node must know what another has changed. */
const ONLY = 'walk|is made|expires|rotation|last use|another account';

test('the portal is green on two nodes', (t) =>
  runOnTwoNodes(t, { files: FILES.map((name) => `portal/${name}`), least: 6, only: ONLY }));
