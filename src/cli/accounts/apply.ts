/** Brings accounts to what a file says. Works while the service runs, which notices within a second. */
import type { Config } from '../../config/table/schema.ts';
import { SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { AccountLimits } from '../../core/verification/account-limits.ts';
import { portalLink } from '../../identity/link.ts';
import { loadLookups } from '../../lookups/load.ts';
import type { SettingsRules } from '../../portal/settings/settings.ts';
import { readConfiguration } from '../configuration.ts';
import { portalOrigin } from '../portal-link.ts';
import { withStore } from '../store/command-store.ts';
import { readAccountsFile } from './accounts-file.ts';
import { carryOut, type MadeSecret } from './carry-out.ts';
import type { AccountChange } from './change.ts';
import { planAccounts } from './plan.ts';

export interface ApplyOptions {
  readonly yes?: boolean;
  /** Whether to create the store if there is none. */
  readonly init?: boolean;
}

/**
 * The plan is told on standard error, or on standard output if that is all. Then standard output has the new secrets only, each as soon as
 * it is durable, and they are not shown again.
 */
export async function applyAccounts(
  path: string,
  { yes = false, init = false }: ApplyOptions,
): Promise<void> {
  const config = await readConfiguration();
  const file = readAccountsFile(path);
  await withStore(
    config,
    async (store) => {
      const changes = await planAccounts(store, file, await rulesOf(config), store.clock.now());
      const tell = yes ? console.error : console.log;
      for (const change of changes) tell(describe(change));
      if (changes.length === 0) return tell('nothing to change');
      if (!yes) return tell(`${count(changes.length)} to make; nothing is changed without --yes`);
      for (const change of changes) {
        const made = await carryOut(store, change, store.clock.now());
        if (made !== undefined) console.log(show(made, config));
      }
      tell(`made ${count(changes.length)}`);
    },
    { init },
  );
}

/** What the portal checks settings against. */
async function rulesOf(config: Config): Promise<SettingsRules> {
  const { limits, accounts, code, messages } = config;
  const ports = { clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM, log: () => {}, told: () => {} };
  // None is asked: only what each could tell is looked at.
  using lookups = await loadLookups(config, ports);
  const accountLimits = new AccountLimits(limits, accounts);
  return { accountLimits, code, messages, lookups: lookups?.all ?? [] };
}

const describe = ({ account, words }: AccountChange): string => `${account}: ${words}`;

const count = (changes: number): string => `${changes} ${changes === 1 ? 'change' : 'changes'}`;

/** Account, key or address, and the secret, with tabs between them, which no name has. */
const show = ({ account, of, kind, secret }: MadeSecret, config: Config): string =>
  [
    account,
    of,
    kind === 'key' ? secret : portalLink(portalOrigin(config, config.port), 'invitation', secret),
  ].join('\t');
