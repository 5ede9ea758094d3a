/** The endpoint that a command is about. Its id is enough: the command line knows all accounts. */

import type { NumbersChange } from '../../accounts/webhooks/change.ts';
import { findAccountOfWebhook } from '../../accounts/webhooks/endpoints.ts';
import type { Config } from '../../config/table/schema.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import type { Store } from '../../store/port.ts';
import { CommandFailure } from '../failure.ts';
import { withStore } from '../store/command-store.ts';

/** Lends the store for a change of it. */
export async function withEndpoint<T>(
  config: Config,
  id: string,
  use: (store: Store, change: NumbersChange) => Promise<T>,
): Promise<T> {
  return await withStore(config, async (store) => {
    const accountId = await findAccountOfWebhook(store, id);
    if (accountId === undefined) throw unknown();
    return await use(store, {
      ...{ accountId, id, by: COMMAND_LINE, now: store.clock.now() },
      mayGiveNumbers: true,
    });
  });
}

export const unknown = () =>
  new CommandFailure('there is no such endpoint; `webhooks list` shows all ids of an account');
