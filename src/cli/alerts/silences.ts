/** Silence about alerts of the installation. Works while the service runs, which follows at its next look. */

import { addSilence, liftSilence, readSilences } from '../../accounts/alerts/silences.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import { isName, NAME_RULE } from '../../core/accounts/name.ts';
import { isRuleName, RULE_NAMES, type RuleName, ruleOf } from '../../core/alerts/rule.ts';
import { MAX_SILENCES, type Silence } from '../../core/alerts/silence.ts';
import { SYSTEM_CLOCK } from '../../core/clock.ts';
import { parseDuration } from '../../core/verification/limits.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { withStore } from '../store/command-store.ts';
import { formatTable } from '../table.ts';

export interface SilenceOptions {
  readonly rule?: string;
  readonly about?: string;
  readonly for: string;
  readonly reason: string;
}

const MAX_REASON = 200;

export async function silence({ rule, about, for: duration, reason }: SilenceOptions): Promise<void> {
  const ms = parseDuration(duration);
  if (ms === undefined) throw new CommandFailure('--for must be a duration such as 2h; nothing was changed');
  if (about !== undefined && rule === undefined) {
    throw new CommandFailure('--about needs --rule; nothing was changed');
  }
  const why = reason.trim();
  if (!isName(why) || [...why].length > MAX_REASON) {
    const rule = `${NAME_RULE.charAt(0).toLowerCase()}${NAME_RULE.slice(1, -1)}`;
    throw new CommandFailure(`--reason must be ${rule}, and at most ${MAX_REASON} characters`);
  }
  const now = SYSTEM_CLOCK.wall();
  const wish = { rule: ruleFor(rule), subject: about ?? null, endsAt: now + ms, reason: why };
  const added = await withStore(readConfiguration(), (store) =>
    addSilence(store, { accountId: null, by: COMMAND_LINE, now }, wish),
  );
  switch (added.kind) {
    case 'wrong':
      throw new CommandFailure(`--for ${added.error.detail}; nothing was changed`);
    case 'too-many':
      throw new CommandFailure(`there are ${MAX_SILENCES} silences, which is the maximum; lift one`);
    case 'added':
      console.log(added.id);
  }
}

export async function listSilences({ json = false }: { readonly json?: boolean }): Promise<void> {
  const silences = await withStore(readConfiguration(), (store) =>
    readSilences(store, SYSTEM_CLOCK.wall(), null),
  );
  if (json) console.log(JSON.stringify(silences.map(shown), null, 2));
  else if (silences.length > 0) console.log(formatTable(silences.map(shown)));
  else console.error('no silences; `alerts silence --for 2h --reason TEXT` makes one');
}

export async function liftOne(id: string): Promise<void> {
  const change = { accountId: null, by: COMMAND_LINE, now: SYSTEM_CLOCK.wall() };
  const lifted = await withStore(readConfiguration(), (store) => liftSilence(store, change, id));
  if (!lifted) throw new CommandFailure('there is no such silence; `alerts silences` shows all ids');
  console.log('lifted');
}

const shown = ({ id, rule, subject, endsAt, reason, madeBy, madeAt }: Silence) => ({
  id,
  rule: rule ?? 'all',
  about: subject,
  until: new Date(endsAt).toISOString(),
  reason,
  made_by: madeBy,
  made_at: new Date(madeAt).toISOString(),
});

const RULES = RULE_NAMES.filter((name) => ruleOf(name).of !== 'account');

function ruleFor(rule: string | undefined): RuleName | null {
  if (rule === undefined) return null;
  if (isRuleName(rule) && RULES.includes(rule)) return rule;
  throw new CommandFailure(`--rule must be one of ${RULES.join(', ')}; nothing was changed`);
}
