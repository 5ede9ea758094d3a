import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findHeldName } from './held-names.ts';

const PROVIDERS = [
  { newcomers: [{ domains: ['example.com'], account: 'staff', role: 'developer' }] },
  { newcomers: [] },
] as const;
const isRefused = (name: string, before?: string) => findHeldName(PROVIDERS, name, before) !== undefined;

test('nobody takes a name by which the service finds an account', () => {
  for (const held of ['default', 'staff']) {
    assert.equal(isRefused(held), true, 'for a new account');
    assert.equal(isRefused(held, 'Tenant'), true, 'for one that is there');
    assert.equal(isRefused(held, held), false, 'one that has it may keep it');
  }
  assert.equal(isRefused('Acme'), false);
  assert.equal(isRefused('Acme', 'Tenant'), false);
});

test('the name by which newcomers join an account stays; that of the first account may change, and nobody else gets it', () => {
  assert.equal(isRefused('Acme', 'staff'), true);
  assert.equal(isRefused('Acme', 'default'), false);
});
