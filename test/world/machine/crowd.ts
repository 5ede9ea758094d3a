/** Many open codes of missed calls, which nobody asked the service for: histories are too short for thousands of requests. */
import type { Keyring } from '../../../src/core/secrets/keyring.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Command } from '../command.ts';
import { endingsOf } from '../routes.ts';

/** The secret of the world is always the same. */
const hashes = new Map<string, string>();

/** `accountId` need not be one that there is. Rejects as the store does. */
export async function crowd(
  { store, keyring }: { readonly store: Store; readonly keyring: Keyring },
  accountId: string,
  { many, lasts }: Extract<Command, { do: 'crowd' }>,
): Promise<void> {
  const until = store.clock.now() + lasts;
  const rows = endingsOf(many).map((ending) => `('${hashOf(keyring, ending)}', '${accountId}', ${until})`);
  const sql = `INSERT INTO used_ending (hash, account_id, ends_at) VALUES ${rows.join()}
    ON CONFLICT (hash) DO UPDATE SET account_id = excluded.account_id, ends_at = excluded.ends_at`;
  await store.transact([{ sql, args: [] }]);
}

function hashOf(keyring: Keyring, ending: string): string {
  const hash = hashes.get(ending) ?? keyring.endingHash(ending).current;
  hashes.set(ending, hash);
  return hash;
}
