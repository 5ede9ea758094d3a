/** The secrets of a command that looks for numbers in the store, or writes them there. */

import { findSecret } from '../../config/secret.ts';
import type { Config } from '../../config/table/schema.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import type { Store } from '../../store/port.ts';
import { CommandFailure } from '../failure.ts';

/**
 * Never makes a secret, and refuses one that is not the store's: under another, nothing would be found, and the service would
 * not find what is written. Neither may look like success.
 */
export async function openKeyring(
  { secret, previousSecret, dataDir }: Config,
  store: Pick<Store, 'searchArchive' | 'clock'>,
): Promise<Keyring> {
  const current = secret ?? findSecret(dataDir);
  if (current === undefined)
    throw new CommandFailure('there is no secret; start the service once, which makes it');
  const keyring = new Keyring(current, previousSecret);
  const newest = { accountId: null, filter: {}, before: null, limit: 1, now: store.clock.now() };
  const { verifications } = await store.searchArchive(newest);
  if (verifications.every(({ destinationSealed }) => keyring.canOpen(destinationSealed))) return keyring;
  throw new CommandFailure(
    'the secret of this configuration does not open the store; run this with the configuration and the environment of the service',
  );
}
