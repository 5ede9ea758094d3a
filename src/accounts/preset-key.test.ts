import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Actor } from '../core/accounts/actor.ts';
import { type ApiKey, type NewApiKey, UNRESTRICTED } from '../core/accounts/api-key.ts';
import { hashApiKey, mintKey } from '../core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { ensurePresetKey } from './preset-key.ts';

/** Keys as a store keeps them, and what is logged. */
function createRig({ isNew = true } = {}) {
  const made: (ApiKey & NewApiKey & { readonly by: Actor; readonly why: string | undefined })[] = [];
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const keys = {
    findKey: async (hash: string) => {
      const key = made.find((key) => key.hash === hash);
      return key && { ...key, settings: null, blockedRanges: [] };
    },
    createFirstKey: async (accountId: string, key: NewApiKey, by: Actor, why?: string) => {
      if (!isNew || made.length > 0) return undefined;
      const rest = {
        customCodes: false,
        createdBy: null,
        lastUsedAt: null,
        lastUsedFrom: null,
        expiresAt: null,
        replacedBy: null,
        predecessors: undefined,
      };
      const found = { ...key, ...rest, accountId, revokedAt: null, restrictions: UNRESTRICTED, by, why };
      made.push(found);
      return found;
    },
  };
  const revokeAll = () => void made.splice(0, made.length, ...made.map((key) => ({ ...key, revokedAt: 9 })));
  return {
    made,
    lines,
    revokeAll,
    ensure: (token: string) => ensurePresetKey(token, keys, log, 5, SYSTEM_RANDOM),
  };
}

for (const [kind, isTest] of [
  ['test', true],
  ['live', false],
] as const) {
  test(`a ${kind} key is made once, and its entry says where it came from`, async () => {
    const { made, lines, ensure } = createRig();
    const { key, prefix } = mintKey(SYSTEM_RANDOM, isTest);
    await ensure(key);
    await ensure(key);
    const [found, ...others] = made;
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(found, {
      accountId: 'default',
      test: isTest,
      prefix,
      hash: hashApiKey(key),
      createdAt: 5,
      by: { name: 'the service', address: null },
      why: 'from bootstrap.key',
    });
    assert.equal(lines.length, 1);
    assert.ok(!JSON.stringify(lines).includes(key));
  });
}

test('one that was revoked stays so, and the log says it', async () => {
  const { made, lines, revokeAll, ensure } = createRig();
  const { key } = mintKey(SYSTEM_RANDOM, true);
  await ensure(key);
  revokeAll();
  await ensure(key);
  assert.deepEqual([made.length, made[0]?.revokedAt], [1, 9]);
  assert.match(lines.at(-1) ?? '', /"level":40,.*bootstrap\.key was revoked, and stays so/);
});

test('a store that had another key gets none, and the log says it', async () => {
  const { made, lines, ensure } = createRig({ isNew: false });
  await ensure(mintKey(SYSTEM_RANDOM, true).key);
  assert.deepEqual(made, []);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /"level":40,.*bootstrap\.key is not used, because the store already had/);
});
