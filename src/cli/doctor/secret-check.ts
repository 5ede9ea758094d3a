/** Checks whether a store was written with the secret that this command sees. */
import { findSecret } from '../../config/secret.ts';
import type { Config } from '../../config/table/schema.ts';
import { Keyring } from '../../core/secrets/keyring.ts';
import { openField } from '../../core/secrets/sealed-field.ts';
import type { NewestVerification } from '../../store/sqlite/backup/inspection.ts';

/** Makes no secret if there is none: a new one would open nothing. */
export function createSecretCheck(config: Config): (newest: NewestVerification) => boolean {
  const secret = config.secret ?? findSecret(config.dataDir);
  if (secret === undefined) return () => false;
  const keyring = new Keyring(secret, config.previousSecret);
  return ({ id, destinationSealed }) => {
    try {
      openField(keyring, destinationSealed, id, 'destination');
      return true;
    } catch {
      return false;
    }
  };
}
