/**
 * Databases with the service's schema that the tests of a file are given one after another. To empty one takes a tenth of
 * the time that a new one takes, which is a thousand files to copy, and the contract has hundreds of tests.
 */
import { after } from 'node:test';
import pg from 'pg';
import { END_OTHERS, empty, readOriginal } from './emptying.ts';
import { startPostgres } from './postgres.ts';
import { openNode } from './store/postgres/rig.ts';

export interface LentDatabase {
  readonly url: string;
  /** Once nobody is connected any more. */
  giveBack(): Promise<void>;
}

const free: string[] = [];
let making: ReturnType<typeof prepare> | undefined;
/** Also those that a hook gives back which runs after ours. */
let lent = 0;
let isOver = false;
after(() => {
  isOver = true;
  return endIfUnused();
});

async function endIfUnused(): Promise<void> {
  if (isOver && lent === 0) await (await making)?.postgres.dispose();
}

/** The borrower may not change the schema. */
export async function lendDatabase(): Promise<LentDatabase> {
  making ??= prepare();
  const { postgres, schema, original } = await making;
  lent++;
  const url = free.pop() ?? (await postgres.createDatabase(schema));
  return {
    url,
    async giveBack() {
      await connected(url, async (client) => {
        await client.query(END_OTHERS);
        await empty(client, original);
      });
      free.push(url);
      lent--;
      await endIfUnused();
    },
  };
}

async function prepare() {
  const postgres = await startPostgres();
  const schema = postgres.schema ?? (await postgres.createDatabase());
  if (postgres.schema === undefined) await (await openNode(schema)).close();
  const copy = await postgres.createDatabase(schema);
  const original = await connected(copy, readOriginal);
  free.push(copy);
  return { postgres, schema, original };
}

async function connected<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
