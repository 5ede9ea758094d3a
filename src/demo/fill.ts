/** Fills the store of a demo: a week of an account that ends now. */
import { invite } from '../accounts/invitations.ts';
import { ensureSecret } from '../config/secret.ts';
import type { Config } from '../config/table/schema.ts';
import { COMMAND_LINE } from '../core/accounts/actor.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { Keyring } from '../core/secrets/keyring.ts';
import { openStore } from '../store/open.ts';
import { makeDemoAccount } from './account.ts';
import { alertOfOutage } from './alerted.ts';
import { guardWeek } from './guarded.ts';
import { outageOf } from './times.ts';
import { type PlannedCode, planWeek } from './week.ts';
import { writeCodes } from './write.ts';

/** Who looks at the demo. */
const VISITOR = { email: 'you@demo.example', role: 'owner' } as const;

interface FilledDemo {
  /** The token of an invitation to the account, as an owner. */
  readonly invitation: string;
  /** What was written, in order of time. */
  readonly codes: readonly PlannedCode[];
}

export async function fillDemo(config: Config, now: number): Promise<FilledDemo> {
  const { code } = config;
  const keyring = new Keyring(ensureSecret(config.dataDir));
  const store = await openStore(config, { machine: SYSTEM_CLOCK, exclusive: true });
  try {
    const account = await makeDemoAccount({ records: store, keyring }, now);
    const codes = await guardWeek({ store, keyring }, account, planWeek(now, code.guesses), now);
    await writeCodes({ store, keyring, code }, account, codes);
    await alertOfOutage(store, outageOf(now));
    const invited = await invite(store, { accountId: account.id, ...VISITOR }, COMMAND_LINE, now);
    if (invited.kind !== 'invited') throw new Error('nobody can join the demo');
    return { invitation: invited.token, codes };
  } finally {
    await store.close();
  }
}
