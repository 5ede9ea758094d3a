/** Nodes on one PostgreSQL. */
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseAddress, parseDatabaseAddress } from '../../../src/options/database-address.ts';
import type { Store } from '../../../src/store/port.ts';
import type { DatabaseOptions } from '../../../src/store/postgres/connection/database.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import { LAX, type OpenedStore, type Rules } from '../contract/rig.ts';

export function addressOf(url: string): DatabaseAddress {
  const parsed = parseDatabaseAddress(url);
  if (!parsed.ok) throw new Error(parsed.problem.wrong);
  return parsed.address;
}

/**
 * No call is given up. Where only what the calls did counts, a machine that is too busy to hear an answer in time must not leave an
 * outcome that nobody knows. The server still ends a statement that takes too long; that one did nothing and can be made again.
 */
const PATIENT: DatabaseOptions = { patienceMs: 600_000 };

export function openNode(url: string, rules: Rules = LAX, options: DatabaseOptions = {}): Promise<Store> {
  return openPostgresStore({ address: addressOf(url), ...options, ...rules });
}

/** As many nodes as asked for, closed after the test. Without other options they give no call up. */
export async function openNodes(
  t: TestContext,
  url: string,
  count: number,
  rules?: Rules,
  options: DatabaseOptions = PATIENT,
): Promise<Store[]> {
  const nodes = await Promise.all(Array.from({ length: count }, () => openNode(url, rules, options)));
  t.after(() => Promise.all(nodes.map((node) => node.close())));
  return nodes;
}

/** Stores on a database of their own, for the contract: they give no call up. `giveBack` comes once all of them are closed. */
export async function storesOf(
  rules: Rules,
  url: string,
  giveBack: () => Promise<void> = async () => {},
): Promise<OpenedStore> {
  const opened: Store[] = [];
  const open = async () => {
    const store = await openNode(url, rules, PATIENT);
    opened.push(store);
    return store;
  };
  const closeAll = () => Promise.all(opened.splice(0).map((each) => each.close()));
  const store = await open();
  return {
    store,
    async reopen() {
      await closeAll();
      return open();
    },
    second: open,
    async dispose() {
      await closeAll();
      await giveBack();
    },
  };
}

/** Looks at the database past the store. */
export async function lookAt<Row extends pg.QueryResultRow>(url: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until a query finds something. Looks often, over one connection: what is looked for may soon be over. */
export async function untilSeen(url: string, query: string, isOver: () => boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    while ((await client.query(query)).rowCount === 0 && !isOver()) await sleep(2);
  } finally {
    await client.end();
  }
}

/** The URL of a database that is at any of these ports. */
export function severalHosts(database: string, ports: readonly number[], target: string): string {
  const url = new URL(database);
  const hosts = ports.map((port) => `${url.hostname}:${port}`).join(',');
  return url.href.replace(url.host, hosts).concat(`?target_session_attrs=${target}`);
}
