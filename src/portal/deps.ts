import type { Keyring } from '../core/keyring.ts';
import type { Records } from '../core/records.ts';
import type { AddressOf } from '../http/client-address.ts';
import type { Passwords } from './passwords.ts';

/** What the portal's routes need of the rest of the service. */
export interface PortalDeps {
  readonly records: Records;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
  /** Whence a request came, past our proxies. */
  readonly addressOf: AddressOf;
}
