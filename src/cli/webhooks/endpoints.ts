/** The endpoints of webhooks. Works while the service runs, which notices a change within a second. */

import { findAccountId } from '../../accounts/accounts.ts';
import { addWebhook, changeWebhook, listWebhooks } from '../../accounts/webhooks/endpoints.ts';
import type { Config } from '../../config/table/schema.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import { MAX_WEBHOOKS } from '../../core/events/endpoint.ts';
import { EVENT_TYPES, type EventType } from '../../core/events/event.ts';
import type { Store } from '../../store/port.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { openKeyring } from '../store/command-keyring.ts';
import { withStore } from '../store/command-store.ts';
import { formatTable } from '../table.ts';
import { unknown, withEndpoint } from './one.ts';
import { shownAsJson, shownInTable } from './shown.ts';

interface Wish {
  /** Their names, with commas between; `all` for all. */
  readonly types?: string;
  readonly fullNumbers?: boolean;
}

/** Prints only the secret. The id goes to standard error. */
export async function addEndpoint(
  url: string,
  { account, types, fullNumbers = false }: Wish & { readonly account: string },
): Promise<void> {
  const wish = { url, types: types === undefined ? [] : readTypes(types), fullNumbers };
  const config = await readConfiguration();
  const added = await withStore(config, async (store) => {
    const accountId = await findAccountId(store, account);
    if (accountId === undefined) throw new CommandFailure(`there is no account named ${account}`);
    const deps = await depsOf(config, store);
    return await addWebhook(deps, { accountId, by: COMMAND_LINE, now: store.clock.now(), ...wish });
  });
  switch (added.kind) {
    case 'wrong':
      throw wrongUrl('the address', added.error.detail);
    case 'too-many':
      throw new CommandFailure(
        `the account ${account} has ${MAX_WEBHOOKS} endpoints, which is the maximum; remove one`,
      );
    case 'added':
      console.error(`added ${added.id}; messages to it are signed with this secret:`);
      console.log(added.secret);
  }
}

export async function listEndpoints({
  account,
  json = false,
}: {
  readonly account: string;
  readonly json?: boolean;
}): Promise<void> {
  const found = await withStore(await readConfiguration(), async (store) => {
    const accountId = await findAccountId(store, account);
    if (accountId === undefined) throw new CommandFailure(`there is no account named ${account}`);
    return await listWebhooks(store, accountId, store.clock.now());
  });
  if (json) console.log(JSON.stringify(found.map(shownAsJson), null, 2));
  else if (found.length > 0) console.log(formatTable(found.map(shownInTable)));
  else console.error(`the account ${account} has no endpoints; \`webhooks add URL\` adds one`);
}

/** Absent options stay as they are. */
export async function changeEndpoint(
  id: string,
  { url, types, ...numbers }: Wish & { readonly url?: string; readonly maskedNumbers?: boolean },
): Promise<void> {
  if (numbers.fullNumbers === true && numbers.maskedNumbers === true) {
    throw new CommandFailure('expected --full-numbers or --masked-numbers, not both; nothing was changed');
  }
  const fullNumbers = numbers.maskedNumbers === true ? false : numbers.fullNumbers;
  if (url === undefined && types === undefined && fullNumbers === undefined) {
    throw new CommandFailure(
      'expected --url, --types, --full-numbers or --masked-numbers; nothing was changed',
    );
  }
  const wish = { url, types: types === undefined ? undefined : readTypes(types), fullNumbers };
  const config = await readConfiguration();
  const changed = await withEndpoint(config, id, (records, change) =>
    changeWebhook({ records, privateNetworks: config.webhooks.privateNetworks }, { ...change, ...wish }),
  );
  switch (changed.kind) {
    case 'wrong':
      throw wrongUrl('--url', changed.error.detail);
    case 'changed':
      console.log('changed');
      return;
    // Here everybody may have full numbers sent.
    case 'numbers':
    case 'unknown':
      throw unknown();
  }
}

const wrongUrl = (field: string, detail: string) =>
  new CommandFailure(`${field} ${detail}; nothing was changed`);

const depsOf = async (config: Config, store: Store) => ({
  records: store,
  keyring: await openKeyring(config, store),
  privateNetworks: config.webhooks.privateNetworks,
});

function readTypes(text: string): EventType[] {
  if (text === 'all') return [];
  return text.split(',').map((part) => {
    const name = part.trim();
    const type = EVENT_TYPES.find((one) => one === name);
    if (type !== undefined) return type;
    throw new CommandFailure(
      `--types must be \`all\`, or some of ${EVENT_TYPES.join(', ')}, with commas between; nothing was changed`,
    );
  });
}
