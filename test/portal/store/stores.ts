/** The portal's statements on each store, with two connections to it, so that they can race. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite } from 'node:test';
import { addPerson } from '../../../src/accounts/people.ts';
import { mintId } from '../../../src/accounts/token.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import { query } from '../../../src/core/sql/records.ts';
import type { Store } from '../../../src/store/port.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { startPostgres } from '../../postgres.ts';
import { LAX } from '../../store/contract/rig.ts';
import { openNode } from '../../store/postgres/rig.ts';

export const NOW = Date.now();
export const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

interface OpenedStores {
  readonly stores: readonly [Store, Store];
  close(): Promise<void>;
}

interface PortalStores {
  readonly store: Store;
  /** One connection or the other, in turn. */
  either(i: number): Store;
  /** Makes one, and returns its id. */
  account(): Promise<string>;
  person(email?: string): Promise<string>;
}

/** Defines the tests once for each store; `portal` returns the stores once they run. */
export function overEachStore(subject: string, define: (portal: () => PortalStores) => void): void {
  for (const [name, open] of [
    ['SQLite', openSqlite],
    ['PostgreSQL', openPostgres],
  ] as const) {
    suite(`the portal over ${name}: ${subject}`, () => {
      let opened: OpenedStores;
      before(async () => {
        opened = await open();
      });
      after(() => opened.close());
      define(() => portalOf(opened));
    });
  }
}

function portalOf({ stores }: OpenedStores): PortalStores {
  const [store] = stores;
  return {
    store,
    either: (i) => stores[i % 2 === 0 ? 0 : 1],
    async account() {
      const id = mintId('acc', SYSTEM_RANDOM);
      await query(store, 'INSERT INTO account (id, name, created_at) VALUES ($1, $1, $2)', id, NOW);
      return id;
    },
    async person(email = `${mintId('x', SYSTEM_RANDOM)}@example.com`) {
      const id = mintId('per', SYSTEM_RANDOM);
      await store.transact([addPerson({ id, email, name: 'Pat', password: 'hash' }, NOW)]);
      return id;
    },
  };
}

async function openSqlite(): Promise<OpenedStores> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-portal-'));
  const stores = [
    await openSqliteStore({ dataDir, exclusive: true, ...LAX }),
    await openSqliteStore({ dataDir, exclusive: false, ...LAX }),
  ] as const;
  return {
    stores,
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await rm(dataDir, { recursive: true });
    },
  };
}

async function openPostgres(): Promise<OpenedStores> {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase(postgres.schema);
  const stores = [await openNode(url), await openNode(url)] as const;
  return {
    stores,
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await postgres.dispose();
    },
  };
}
