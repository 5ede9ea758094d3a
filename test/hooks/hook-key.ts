import { createKeys } from '../../src/accounts/keys.ts';
import { loadText } from '../../src/config/fixture.ts';
import { COMMAND_LINE } from '../../src/core/accounts/actor.ts';
import type { mintKey } from '../../src/core/accounts/api-key-format.ts';
import { openStore } from '../../src/store/open.ts';
import type { Service } from '../service.ts';

/** What the command line does, with a key that was made before. */
export async function addKey(
  service: Service,
  { key: _, ...minted }: ReturnType<typeof mintKey> & { readonly customCodes: boolean },
): Promise<void> {
  const store = await openStore(loadText('', { DATA_DIR: service.dataDir }), { exclusive: false });
  try {
    const made = { ...minted, name: 'hook', test: false, createdAt: Date.now() };
    await createKeys(store).createKey('default', made, COMMAND_LINE);
  } finally {
    await store.close();
  }
}
