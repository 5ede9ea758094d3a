/** Several nodes on one PostgreSQL behind one address, used like a service with one node. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintKey } from '../../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import { createClient, openTwo } from '../acceptance/client.ts';
import { type LentDatabase, lendDatabase } from '../emptied-databases.ts';
import type { Postgres } from '../postgres.ts';
import { provideCertificate, type Service, type ServiceOptions, startService } from '../service.ts';
import { startSpreader } from './spreader.ts';

export interface ClusterOptions extends Omit<ServiceOptions, 'dataDir' | 'presetKey'> {
  readonly secondEnv?: Readonly<Record<string, string>>;
}

export interface Cluster extends Service {
  readonly nodes: readonly [Service, Service, ...Service[]];
}

/**
 * Two nodes on an empty database, in the server `given` or else in the run's. New connections go to the nodes
 * in turn; `stop`, `kill9` and `restart` apply to both. `secondEnv` is for the second node only.
 */
export async function startCluster(
  { secondEnv, ...options }: ClusterOptions = {},
  given?: Postgres,
): Promise<Cluster> {
  await using parts = new AsyncDisposableStack();
  const database = await (given === undefined ? lendDatabase() : createIn(given));
  parts.defer(() => database.giveBack());
  const env = {
    COUNTERSIGN_STORE_URL: database.url,
    COUNTERSIGN_SECRET: randomBytes(32).toString('hex'),
    ...options.env,
  };
  // The same folder, so the same certificate. It holds nothing else.
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-cluster-'));
  parts.defer(() => rm(dataDir, { recursive: true }));
  await provideCertificate(dataDir);
  const key = options.withoutKeys ? {} : { presetKey: mintKey(SYSTEM_RANDOM, false).key };
  const both = { ...options, ...key, dataDir };
  // Side by side: most of a start waits for nobody.
  const starting = [
    startService({ ...both, env }),
    startService({ ...both, env: { ...env, ...secondEnv } }),
  ] as const;
  // Whichever started is stopped, even if the other did not.
  for (const start of await Promise.allSettled(starting)) if ('value' in start) parts.use(start.value);
  const nodes = await Promise.all(starting);
  const [first] = nodes;
  const spreader = parts.use(await startSpreader(nodes.map(({ port }) => port)));
  const baseUrl = first.baseUrl.replace(`:${first.port}`, `:${spreader.port}`);
  const { ca, command, createKey } = first;
  const client = createClient({ baseUrl, ca, key: first.key });
  parts.defer(() => client.close());
  await openTwo(client);
  const open = parts.move();
  return {
    nodes,
    baseUrl,
    port: spreader.port,
    ca,
    dataDir,
    key: first.key,
    client,
    command,
    createKey,
    get pid() {
      return first.pid;
    },
    logs: () => nodes.map((node) => node.logs()).join(''),
    async stop() {
      const codes = await Promise.all(nodes.map((node) => node.stop()));
      return codes.find((code) => code !== 0) ?? 0;
    },
    async kill9() {
      await Promise.all(nodes.map((node) => node.kill9()));
    },
    async restart() {
      client.close();
      await Promise.all(nodes.map((node) => node.restart()));
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** It disappears with its server. */
const createIn = async (postgres: Postgres): Promise<LentDatabase> => ({
  url: await postgres.createDatabase(postgres.schema),
  giveBack: async () => {},
});
