/** Nodes on one PostgreSQL. */
import type { TestContext } from 'node:test';
import pg from 'pg';
import type { Store } from '../../../src/store/port.ts';
import {
  type DatabaseAddress,
  parseDatabaseAddress,
} from '../../../src/store/postgres/connection/address.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import { LAX, type Rules } from '../contract/rig.ts';

export function addressOf(url: string): DatabaseAddress {
  const parsed = parseDatabaseAddress(url);
  if (!parsed.ok) throw new Error(parsed.problem.wrong);
  return parsed.address;
}

export function openNode(url: string, rules: Rules = LAX): Promise<Store> {
  return openPostgresStore({ address: addressOf(url), ...rules });
}

/** As many nodes as asked for, closed after the test. */
export async function openNodes(
  t: TestContext,
  url: string,
  count: number,
  rules: Rules = LAX,
): Promise<Store[]> {
  const nodes = await Promise.all(Array.from({ length: count }, () => openNode(url, rules)));
  t.after(() => Promise.all(nodes.map((node) => node.close())));
  return nodes;
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
