/** The acceptance suite against two nodes on one PostgreSQL, with its connections spread over both. */
import { test } from 'node:test';
import { runOnTwoNodes } from './suite.ts';

// The others test what belongs to one process: its listener, its start, its documents.
const FILES = ['authentication', 'verify', 'confirm', 'idempotency', 'problems'];

test('the acceptance suite is green on two nodes', (t) =>
  runOnTwoNodes(
    t,
    FILES.map((name) => `acceptance/${name}`),
    72,
  ));
