/** Endpoints of accounts in a store, and what they would be told. */
import type { DueMessage, EventType } from '../../../../src/core/events/event.ts';
import type { Store } from '../../../../src/store/port.ts';
import { DAY, unique } from '../rig.ts';

/** Later than any message is due, and earlier than it is past its retention. */
const LATER = 20 * DAY;

export async function newAccount(store: Store): Promise<string> {
  const id = unique('acc');
  await store.transact([
    { sql: 'INSERT INTO account (id, name, created_at) VALUES ($1, $1, 0)', args: [id] },
  ]);
  return id;
}

/** An endpoint that wants these types, or all if there are none. */
export async function newEndpoint(
  store: Store,
  accountId: string,
  types: readonly EventType[] = [],
): Promise<string> {
  const id = unique('whk');
  const sql = `INSERT INTO webhook (id, account_id, url, types, secret_sealed, created_at)
    VALUES ($1, $2, 'https://example.com/', $3, '', 0)`;
  await store.transact([{ sql, args: [id, accountId, JSON.stringify(types)] }], true);
  return id;
}

/** All that waits for an endpoint. */
export const dueOf = (store: Store, webhookId: string, now = Date.now() + LATER): Promise<DueMessage[]> =>
  store.dueMessages({ webhookId, now, held: [], limit: 10_000 });

/** In short. */
export async function toldTo(store: Store, webhookId: string): Promise<string[]> {
  return (await dueOf(store, webhookId)).map(({ type, verificationId }) => `${type} ${verificationId}`);
}
