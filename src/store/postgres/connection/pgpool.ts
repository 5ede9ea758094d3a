/**
 * Refuses pgpool-II: it may have a standby answer what reads, and passes on the process of the backend, so it does not show as
 * a pooler does. It answers `SHOW pool_version` itself. A real server writes an error to its log, so it is asked only where
 * the one that serves is not the one that was dialled.
 */
import { Socket } from 'node:net';
import type { ClientBase } from 'pg';
import pg from 'pg';
import { isDatabaseUnavailable } from './failure.ts';
import { ServerRefused } from './server-state.ts';

const REACHED = 'SELECT host(inet_server_addr()) AS address, inet_server_port() AS port';

interface Reached {
  readonly address: string | null;
  readonly port: number | null;
}

/** Rejects with ServerRefused behind pgpool-II. */
export async function refusePgpool(client: ClientBase): Promise<void> {
  const [reached] = await rowsOf<Reached>(client, REACHED);
  if (isDialled(client, reached)) return;
  const [answer] = await rowsOf(client, 'SHOW pool_version');
  if (answer === undefined) return;
  throw new ServerRefused(
    'pgpool',
    'the address leads to pgpool-II, which may read from a standby what was changed since; connect to the server itself, or through PgBouncer or HAProxy',
  );
}

/** None if the server does not know what is asked. */
async function rowsOf<Row extends pg.QueryResultRow>(client: ClientBase, text: string): Promise<Row[]> {
  try {
    return (await client.query<Row>(text)).rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && !isDatabaseUnavailable(error)) return [];
    throw error;
  }
}

/** The types of `pg` do not have a client's connection. */
function isDialled(
  client: ClientBase & { connection?: pg.Connection },
  reached: Reached | undefined,
): boolean {
  const stream = client.connection?.stream;
  if (!(stream instanceof Socket) || stream.remoteAddress === undefined) return false;
  return (
    reached?.address === stream.remoteAddress.replace(/^::ffff:/, '') && reached.port === stream.remotePort
  );
}
