import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { NO_SETTINGS } from '../../core/accounts/account-settings.ts';
import {
  type ApiKey,
  type FoundKey,
  type KeyStore,
  type KeyUse,
  UNRESTRICTED,
} from '../../core/accounts/api-key.ts';
import { hashApiKey, mintKey } from '../../core/accounts/api-key-format.ts';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { createTestLog } from '../fixture.ts';
import { type AuthenticatorOptions, createAuthenticator } from './authenticator.ts';

/** A store of keys that counts the looks into it and can be away. */
function createKeyStore() {
  const keys = new Map<string, FoundKey>();
  const store = {
    keys,
    finds: 0,
    revision: 1,
    away: false,
    touched: [] as (readonly KeyUse[])[],
    /** Runs while a look into the store is under way. */
    during: undefined as (() => void) | undefined,
    add(token: string, test = false, wanted: Partial<FoundKey> = {}) {
      const id = `key_${keys.size}`;
      keys.set(hashApiKey(token), {
        id,
        accountId: 'acc_1',
        name: '',
        test,
        prefix: '',
        createdAt: 0,
        createdBy: null,
        lastUsedAt: null,
        lastUsedFrom: null,
        expiresAt: null,
        revokedAt: null,
        restrictions: UNRESTRICTED,
        customCodes: false,
        replacedBy: null,
        predecessors: undefined,
        settings: null,
        blockedRanges: [],
        ...wanted,
      });
    },
    async findKey(hash: string): Promise<FoundKey | undefined> {
      store.finds++;
      if (store.away) throw new StoreUnavailable('away');
      const key = keys.get(hash);
      store.during?.();
      return key;
    },
    async revokeKey(id: string, now: number): Promise<ApiKey | undefined> {
      for (const [hash, key] of keys) {
        if (key.id === id) {
          keys.set(hash, { ...key, revokedAt: now });
          return key;
        }
      }
      return undefined;
    },
    async touchKeys(uses: readonly KeyUse[]): Promise<void> {
      if (store.away) throw new StoreUnavailable('away');
      store.touched.push(uses);
    },
    async keysRevision(): Promise<number> {
      if (store.away) throw new StoreUnavailable('away');
      return store.revision;
    },
  } satisfies Partial<KeyStore> & Record<string, unknown>;
  return store;
}

async function start(t: TestContext, options: Partial<AuthenticatorOptions> = {}) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const store = createKeyStore();
  const { key } = mintKey(SYSTEM_RANDOM, true);
  store.add(key, true);
  const authenticator = createAuthenticator({
    keys: store,
    clock: SYSTEM_CLOCK,
    log: createTestLog(),
    ...options,
  });
  await settled();
  return {
    store,
    key,
    authenticator,
    tick: async (ms: number) => {
      t.mock.timers.tick(ms);
      await settled();
    },
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const CALLER = {
  keyId: 'key_0',
  accountId: 'acc_1',
  test: true,
  restrictions: undefined,
  customCodes: undefined,
  settings: undefined,
  blockedRanges: undefined,
  predecessors: undefined,
};
const HERE = '192.0.2.1';

describe('the authenticator', () => {
  it('looks a key up once, also for simultaneous requests, and then answers without a promise', async (t) => {
    const { store, key, authenticator } = await start(t);
    const answers = await Promise.all([
      authenticator.authenticate(key, HERE),
      authenticator.authenticate(key, HERE),
    ]);
    assert.deepEqual(answers, [CALLER, CALLER]);
    assert.deepEqual(authenticator.authenticate(key, HERE), CALLER);
    assert.equal(store.finds, 1);
  });

  it('tells the revision of each poll that was answered', async (t) => {
    const told: number[] = [];
    const { store, tick } = await start(t, { pollMs: 100, onRevision: (revision) => told.push(revision) });
    assert.deepEqual(told, [store.revision]);
    store.revision += 1;
    await tick(100);
    store.away = true;
    await tick(100);
    assert.deepEqual(told, [store.revision - 1, store.revision]);
  });

  it('knows a malformed token without asking the store', async (t) => {
    const { store, key, authenticator } = await start(t);
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    for (const token of ['', 'x', mistyped, `${key} `, 'k'.repeat(10_000)]) {
      assert.equal(authenticator.authenticate(token, HERE), 'unknown');
    }
    assert.equal(store.finds, 0);
  });

  it('rejects unknown and revoked keys', async (t) => {
    const { store, key, authenticator } = await start(t);
    assert.equal(await authenticator.authenticate(mintKey(SYSTEM_RANDOM, false).key, HERE), 'unknown');
    await store.revokeKey('key_0', 1);
    assert.equal(await authenticator.authenticate(key, HERE), 'unknown');
  });

  it('sees a revocation by another process within a second', async (t) => {
    const { store, key, authenticator, tick } = await start(t);
    await authenticator.authenticate(key, HERE);
    await store.revokeKey('key_0', 1);
    store.revision++;
    // One question: when several are due at once, nothing is trusted any more, whatever the revision is.
    await tick(250);
    assert.equal(await authenticator.authenticate(key, HERE), 'unknown');
  });

  it('sees a revocation by this process at once', async (t) => {
    const { store, key, authenticator } = await start(t);
    await authenticator.authenticate(key, HERE);
    await store.revokeKey('key_0', 1);
    authenticator.forget();
    assert.equal(await authenticator.authenticate(key, HERE), 'unknown');
  });

  it('does not remember what a look found that a revocation overtook', async (t) => {
    const { store, key, authenticator } = await start(t);
    store.during = () => {
      store.during = undefined;
      void store.revokeKey('key_0', 1);
      authenticator.forget();
    };
    assert.deepEqual(await authenticator.authenticate(key, HERE), CALLER);
    assert.equal(await authenticator.authenticate(key, HERE), 'unknown');
  });

  it('shares no look that a revocation overtook', async (t) => {
    const { store, key, authenticator } = await start(t);
    const before = authenticator.authenticate(key, HERE);
    void store.revokeKey('key_0', 1);
    authenticator.forget();
    const after = authenticator.authenticate(key, HERE);
    assert.deepEqual(await before, CALLER);
    assert.equal(await after, 'unknown');
  });

  it('trusts nothing it remembers once the store does not answer, and recovers', async (t) => {
    const { store, key, authenticator, tick } = await start(t);
    await authenticator.authenticate(key, HERE);
    store.away = true;
    await tick(250);
    await assert.rejects(async () => authenticator.authenticate(key, HERE), StoreUnavailable);
    store.away = false;
    assert.deepEqual(await authenticator.authenticate(key, HERE), CALLER);
    assert.ok(
      authenticator.authenticate(key, HERE) instanceof Promise,
      'not remembered before the store answers again',
    );
    await tick(250);
    await authenticator.authenticate(key, HERE);
    assert.deepEqual(authenticator.authenticate(key, HERE), CALLER);
  });

  it('trusts nothing it remembers while the store hangs', async (t) => {
    const { store, key, authenticator, tick } = await start(t);
    await authenticator.authenticate(key, HERE);
    store.keysRevision = () => new Promise(() => {});
    await tick(999);
    assert.ok(authenticator.authenticate(key, HERE) instanceof Promise);
  });

  it('revokes the key of a token once', async (t) => {
    const { key, authenticator } = await start(t);
    await authenticator.authenticate(key, HERE);
    assert.equal(await authenticator.revoke('nonsense'), false);
    assert.equal(await authenticator.revoke(mintKey(SYSTEM_RANDOM, false).key), false);
    assert.equal(await authenticator.revoke(key), true);
    assert.equal(await authenticator.authenticate(key, HERE), 'unknown');
    assert.equal(await authenticator.revoke(key), false);
  });

  it('writes last uses now and then and on close, and keeps them while the store is away', async (t) => {
    const { store, key, authenticator, tick } = await start(t);
    await tick(1_000);
    await authenticator.authenticate(key, HERE);
    store.away = true;
    await tick(30_000);
    store.away = false;
    assert.deepEqual(store.touched, []);
    await tick(30_000);
    assert.deepEqual(store.touched, [[{ id: 'key_0', at: 1_000, from: HERE }]]);
    await authenticator.authenticate(key, HERE);
    await authenticator.close();
    assert.deepEqual(store.touched[1], [{ id: 'key_0', at: 61_000, from: HERE }]);
  });

  it('writes the later of two uses of a key that was looked up again in between', async (t) => {
    const { store, key, authenticator, tick } = await start(t);
    await tick(1_000);
    await authenticator.authenticate(key, HERE);
    authenticator.forget();
    await tick(1_000);
    await authenticator.authenticate(key, '192.0.2.2');
    await authenticator.close();
    assert.deepEqual(store.touched, [[{ id: 'key_0', at: 2_000, from: '192.0.2.2' }]]);
  });

  it('keeps the uses of the time in which a write failed', async (t) => {
    const { store, key, authenticator, tick } = await start(t);
    const { key: other } = mintKey(SYSTEM_RANDOM, false);
    store.add(other, false);
    await tick(1_000);
    await authenticator.authenticate(key, HERE);
    const { touchKeys } = store;
    const { promise, reject } = Promise.withResolvers<void>();
    store.touchKeys = () => promise;
    await tick(30_000);
    await authenticator.authenticate(other, HERE);
    store.touchKeys = touchKeys;
    reject(new StoreUnavailable('away'));
    await settled();
    await authenticator.close();
    assert.deepEqual(
      store.touched.flat().map(({ id }) => id),
      ['key_0', 'key_1'],
    );
  });

  it('refuses a key from the moment it expires, also one that it remembers', async (t) => {
    const { store, authenticator, tick } = await start(t);
    const { key } = mintKey(SYSTEM_RANDOM, false);
    store.add(key, false, { expiresAt: 5_000 });
    await authenticator.authenticate(key, HERE);
    await tick(4_999);
    assert.equal(typeof (await authenticator.authenticate(key, HERE)), 'object');
    const finds = store.finds;
    await tick(1);
    assert.equal(authenticator.authenticate(key, HERE), 'expired');
    assert.equal(store.finds, finds, 'without a look into the store');
  });

  it('goes by the clock that nodes share, and not by that of its machine', async (t) => {
    const machine = { ...SYSTEM_CLOCK, wall: () => Date.now() - 50_000 };
    const { store, authenticator, tick } = await start(t, { clock: machine });
    const { key } = mintKey(SYSTEM_RANDOM, false);
    store.add(key, false, { expiresAt: 5_000 });
    await tick(4_999);
    assert.equal(typeof (await authenticator.authenticate(key, HERE)), 'object');
    await tick(1);
    assert.equal(await authenticator.authenticate(key, HERE), 'expired');
    await authenticator.close();
    assert.deepEqual(
      store.touched.flat().map(({ at }) => at),
      [4_999],
    );
  });

  it('takes a key from the addresses and networks that it is bound to', async (t) => {
    const { store, authenticator } = await start(t);
    const { key } = mintKey(SYSTEM_RANDOM, false);
    const sources = ['192.0.2.0/24', '2001:db8::1'];
    store.add(key, false, { restrictions: { ...UNRESTRICTED, sources } });
    for (const address of ['192.0.2.77', '2001:db8::1', '2001:db8:0::1']) {
      assert.equal(typeof (await authenticator.authenticate(key, address)), 'object', address);
    }
    for (const address of ['192.0.3.1', '2001:db8::2', '', 'unknown', '192.0.2.77:443']) {
      assert.equal(await authenticator.authenticate(key, address), 'wrong-source', address);
    }
  });

  it('notes no use of a key that was refused', async (t) => {
    const { store, authenticator } = await start(t);
    const { key } = mintKey(SYSTEM_RANDOM, false);
    store.add(key, false, { restrictions: { ...UNRESTRICTED, sources: ['192.0.2.9'] } });
    assert.equal(await authenticator.authenticate(key, HERE), 'wrong-source');
    await authenticator.close();
    assert.deepEqual(store.touched, []);
  });

  it('passes on the restrictions of a key, what it came from, and the settings and blocked ranges of its account, if there are any', async (t) => {
    const { store, authenticator } = await start(t);
    const { key } = mintKey(SYSTEM_RANDOM, false);
    const settings = { ...NO_SETTINGS, brand: 'Acme' };
    const blockedRanges = ['+88213'];
    store.add(key, false, {
      restrictions: { ...UNRESTRICTED, channels: ['sms'] },
      settings,
      blockedRanges,
      predecessors: ['key_earlier'],
    });
    assert.deepEqual(await authenticator.authenticate(key, HERE), {
      keyId: 'key_1',
      accountId: 'acc_1',
      test: false,
      restrictions: { channels: ['sms'], countries: [] },
      customCodes: undefined,
      settings,
      blockedRanges,
      predecessors: ['key_earlier'],
    });
  });

  it('remembers no more than its cap', async (t) => {
    const { store, key, authenticator } = await start(t, { maxCached: 2 });
    await authenticator.authenticate(key, HERE);
    for (let i = 0; i < 2; i++) await authenticator.authenticate(mintKey(SYSTEM_RANDOM, false).key, HERE);
    assert.ok(authenticator.authenticate(key, HERE) instanceof Promise);
    assert.equal(store.finds, 4);
  });
});
