/** Gives people access to the portal from the machine it runs on. Works while the service runs. */

import { findAccountId } from '../accounts/accounts.ts';
import { invite } from '../accounts/invitations.ts';
import { normalizeEmail } from '../accounts/people.ts';
import type { Config } from '../config/table/schema.ts';
import { COMMAND_LINE } from '../core/accounts/actor.ts';
import { isEmail } from '../core/accounts/name.ts';
import { portalLink } from '../identity/link.ts';
import { openReset } from '../identity/reset/reset.ts';
import type { Store } from '../store/port.ts';
import { readConfiguration } from './configuration.ts';
import { CommandFailure } from './failure.ts';
import { portalOrigin } from './portal-link.ts';
import { withStore } from './store/command-store.ts';

const ROLES = ['owner', 'developer', 'viewer'] as const;

export interface InviteOptions {
  readonly email: string;
  readonly role: string;
  readonly account: string;
}

export async function inviteMember({ email, role: wanted, account }: InviteOptions): Promise<void> {
  const role = ROLES.find((role) => role === wanted);
  if (role === undefined) throw new CommandFailure(`--role must be one of ${ROLES.join(', ')}`);
  await withRecords(async (store, config) => {
    const accountId = await findAccountId(store, account);
    if (accountId === undefined)
      throw new CommandFailure('there is no such account; create one with `keys create --account`');
    const wanted = { accountId, email: readEmail(email), role };
    const outcome = await invite(store, wanted, COMMAND_LINE, store.clock.now());
    if (outcome.kind !== 'invited') {
      throw new CommandFailure('this address is already a member; use `portal reset` if they are locked out');
    }
    console.log(portalLink(portalOrigin(config, config.port), 'invitation', outcome.token));
    console.error(`to the account ${account} (${accountId})`);
  });
}

export async function resetPerson({ email }: { readonly email: string }): Promise<void> {
  await withRecords(async (store, config) => {
    const token = await openReset(store, readEmail(email), store.clock.now());
    if (token === undefined)
      throw new CommandFailure('nobody has this address; use `portal invite` to invite it');
    console.log(portalLink(portalOrigin(config, config.port), 'reset', token));
  });
}

function readEmail(email: string): string {
  if (!isEmail(email)) throw new CommandFailure('--email must be an address such as name@example.com');
  return normalizeEmail(email);
}

async function withRecords(use: (store: Store, config: Config) => Promise<void>): Promise<void> {
  const config = await readConfiguration();
  return withStore(config, (store) => use(store, config));
}
