import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FoundKey, UNRESTRICTED } from '../accounts/api-key.ts';
import { hashApiKey } from '../accounts/api-key-format.ts';
import { findUnusableHooks } from './unusable.ts';

const NOW = 1_000;
const KEY = 'csk_live_000000000000000000000000000000000000';
const GOOD: FoundKey = {
  ...{ id: 'key_1', accountId: 'acc_1', name: 'hook', test: false, prefix: 'csk_live_00000000' },
  ...{ createdAt: 0, createdBy: null, lastUsedAt: null, lastUsedFrom: null },
  ...{ expiresAt: null, revokedAt: null, restrictions: UNRESTRICTED, customCodes: true, replacedBy: null },
  predecessors: undefined,
  ...{ settings: null, blockedRanges: [] },
};

async function faultOf(key: Partial<FoundKey> | undefined, channel?: 'voice'): Promise<string> {
  const keys = {
    findKey: async (hash: string) => {
      assert.equal(hash, hashApiKey(KEY));
      return key && { ...GOOD, ...key };
    },
  };
  const found = await findUnusableHooks({ a: { system: 'kratos', key: KEY, channel } }, keys, NOW);
  assert.ok(found.every(({ name }) => name === 'a'));
  return found.map(({ detail }) => detail.split(',', 1)[0]).join();
}

test('a key that may send codes for its hook is no fault', async () => {
  for (const key of [
    {},
    { test: true, customCodes: false },
    { expiresAt: NOW + 1 },
    { restrictions: { ...UNRESTRICTED, channels: ['sms'] as const } },
  ]) {
    assert.equal(await faultOf(key), '');
  }
});

test('any other is told', async () => {
  assert.equal(await faultOf(undefined), 'is no API key of this installation');
  assert.equal(await faultOf({ revokedAt: 1 }), 'is revoked');
  assert.equal(await faultOf({ expiresAt: NOW }), 'has expired');
  assert.equal(await faultOf({ customCodes: false }), 'may not bring codes of its own');
  const restrictions = { ...UNRESTRICTED, channels: ['sms'] as const };
  assert.equal(await faultOf({ restrictions }, 'voice'), 'may not use the channel voice');
});
