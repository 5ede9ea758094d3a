/** Gives an account another name, also one that no owner can give in the portal. Works while the service runs. */
import { findAccountId } from '../../accounts/accounts.ts';
import { changeSettings, findStored, readStored } from '../../accounts/settings.ts';
import { provided, sameSettings } from '../../accounts/unchanged.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import { isName, NAME_RULE } from '../../core/accounts/name.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { withStore } from '../store/command-store.ts';

/** As in the portal. */
const LONGEST = 80;

export async function renameAccount(name: string, wanted: string): Promise<void> {
  if (!isName(wanted) || wanted.trim() !== wanted || wanted.length > LONGEST)
    throw new CommandFailure(`the new name must have at most ${LONGEST} characters. ${NAME_RULE}`);
  await withStore(await readConfiguration(), async (store) => {
    const id = await findAccountId(store, name);
    const found = id === undefined ? undefined : await findStored(store, id);
    if (id === undefined || found === undefined)
      throw new CommandFailure('there is no account of that name; `keys list` shows them');
    const unchanged = provided(
      store,
      id,
      sameSettings(id, name, found.stored),
      () => new CommandFailure(`${name} was changed by somebody else meanwhile; run it again`),
    );
    const renamed = { name: wanted, settings: readStored(found.stored) };
    const outcome = await changeSettings(unchanged, id, renamed, COMMAND_LINE, store.clock.now());
    if (outcome !== 'changed') throw new CommandFailure('another account has the new name');
    console.log(`${name} is called ${wanted} now (${id})`);
  });
}
