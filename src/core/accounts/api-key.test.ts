import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiKey, hasLiveKey, UNRESTRICTED } from './api-key.ts';

const NOW = 1_000;

const has = (wanted: Partial<ApiKey>) => {
  const key = {
    ...{
      id: 'key_1',
      accountId: 'acc_1',
      accountName: 'Acme',
      name: 'shop',
      test: false,
      prefix: 'csk_live_x',
    },
    ...{
      createdAt: 0,
      createdBy: null,
      lastUsedAt: null,
      lastUsedFrom: null,
      expiresAt: null,
      revokedAt: null,
    },
    ...{ restrictions: UNRESTRICTED, customCodes: false, replacedBy: null },
    predecessors: undefined,
    ...wanted,
  };
  return hasLiveKey({ listKeys: async () => [{ ...key, test: true }, key] }, NOW);
};

test('a live key is in use until it is revoked or expires', async () => {
  assert.equal(await has({}), true);
  assert.equal(await has({ expiresAt: NOW + 1 }), true);
  assert.equal(await has({ expiresAt: NOW }), false);
  assert.equal(await has({ revokedAt: NOW - 1 }), false);
  assert.equal(await has({ test: true }), false);
});
