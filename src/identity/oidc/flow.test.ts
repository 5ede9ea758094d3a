import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import { beginFlow, openFlow, sealFlow } from './flow.ts';

const keyring = new Keyring('a'.repeat(32));
const NOW = Date.now();
const MINUTE = 60_000;

test('a flow is valid for ten minutes, at the provider where it began', () => {
  const flow = beginFlow({ random: SYSTEM_RANDOM }, 'https://localhost:8443/callback', NOW);
  const sealed = sealFlow(keyring, 'one', flow);
  assert.deepEqual(openFlow(keyring, 'one', sealed, NOW + 10 * MINUTE - 1), flow);
  assert.equal(openFlow(keyring, 'one', sealed, NOW + 10 * MINUTE), undefined);
  assert.equal(openFlow(keyring, 'other', sealed, NOW), undefined);
  assert.equal(openFlow(new Keyring('b'.repeat(32)), 'one', sealed, NOW), undefined);
  assert.deepEqual(openFlow(new Keyring('b'.repeat(32), 'a'.repeat(32)), 'one', sealed, NOW), flow);
  assert.match(sealed, /^[\w.-]+$/, 'it fits into a cookie');
});

test('two flows share nothing but the address that they lead to', () => {
  const flows = Array.from({ length: 50 }, () =>
    beginFlow({ random: SYSTEM_RANDOM }, 'https://localhost:8443/callback', NOW),
  );
  const secrets = flows.flatMap(({ state, nonce, verifier }) => [state, nonce, verifier]);
  assert.equal(new Set(secrets).size, 150);
  for (const secret of secrets) assert.match(secret, /^[\w-]{43}$/);
});

test('a flow begun by a clock that was far ahead does not count until then', () => {
  const flow = beginFlow({ random: SYSTEM_RANDOM }, 'https://localhost:8443/callback', NOW);
  const sealed = sealFlow(keyring, 'one', flow);
  assert.equal(openFlow(keyring, 'one', sealed, NOW - 24 * 60 * MINUTE), undefined);
  assert.deepEqual(
    openFlow(keyring, 'one', sealed, NOW - MINUTE),
    flow,
    'another node may be a little ahead',
  );
});
