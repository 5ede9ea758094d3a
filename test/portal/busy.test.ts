/** Passwords are hashed one at a time: while many wait, whoever would wait with them is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROUTES } from '../../src/portal/routes.ts';
import { openLookup } from './store/lookup-rig.ts';

const HASHING = [
  'POST setup',
  'POST session',
  'POST reset',
  'POST invitations/accept',
  'POST me/password',
  'POST me/proof',
];

test('while many passwords are hashed, what would hash another is refused, and nothing else', async (t) => {
  const rig = await openLookup(t);
  rig.isBusy = true;
  const refused: string[] = [];
  for (const [method, path] of ROUTES) {
    const { statusCode, headers } = await rig.app.inject({ method, url: `/portal/api/${path}`, payload: {} });
    if (statusCode !== 503) continue;
    assert.equal(headers['retry-after'], '1');
    refused.push(`${method} ${path}`);
  }
  assert.deepEqual(refused, HASHING);
});
