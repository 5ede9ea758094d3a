/** How the portal shows and checks the settings of an account. */
import type { NamedSettings } from '../../accounts/settings.ts';
import {
  type AccountSettings,
  LONGEST_ACCOUNT_WINDOW_MS,
  messagesOf,
} from '../../core/accounts/account-settings.ts';
import { formatBudget, parseBudget } from '../../core/budgets/notation.ts';
import type { Channel } from '../../core/destination/channel.ts';
import type { FieldError, FieldErrorCode, FieldFault } from '../../core/errors/field-error.ts';
import type { GuardMode } from '../../core/guarding/guard-mode.ts';
import type { ShownLookup } from '../../core/lookups/lookup.ts';
import { WORDINGS } from '../../core/message/locales.ts';
import type { MessageOptions } from '../../core/message/message.ts';
import { checkMessages } from '../../core/message/message-check.ts';
import { type AccountLimits, findTighter, type NumberLimit } from '../../core/verification/account-limits.ts';
import type { CodePolicy } from '../../core/verification/code.ts';
import { formatLimit, type Limit, parseLimit } from '../../core/verification/limits.ts';
import { versionOf } from '../../operations/version.ts';
import { checkCountries } from '../check-countries.ts';
import type { Settings, SettingsView } from './contract.ts';
import { readNumberRule, showNumberRule } from './number-rule.ts';

const MILLIONTHS = 1_000_000;

/** What applies if an account sets nothing. */
export interface ServiceDefaults {
  readonly accountLimits: Pick<AccountLimits, 'ceiling'>;
  readonly code: CodePolicy;
  readonly messages: MessageOptions;
  readonly currency: string;
  readonly guard: { readonly mode: GuardMode };
  readonly lookups: readonly ShownLookup[];
  /** The channels that may be asked for. */
  readonly channels: readonly Channel[];
  /** Channels with live messages that go only to the simulator. */
  readonly simulated: readonly Channel[];
  /** Channels with live messages that reach telephones. */
  readonly reaching: readonly Channel[];
}

/** What settings are checked against. */
export type SettingsRules = Pick<ServiceDefaults, 'accountLimits' | 'code' | 'messages' | 'lookups'>;

export function showSettings(
  accountId: string,
  named: NamedSettings,
  { accountLimits, code, messages, currency, guard, lookups, channels, simulated, reaching }: ServiceDefaults,
): SettingsView {
  const settings = writeSettings(named);
  return {
    settings,
    version: versionOf(settings),
    defaults: {
      brand: messages.brand,
      locale: messages.locale ?? null,
      code_length: code.length,
      sends_per_destination: showCeiling(accountLimits.ceiling(accountId, 'sendsPerDestination')),
      failed_guesses_per_destination: showCeiling(
        accountLimits.ceiling(accountId, 'failedGuessesPerDestination'),
      ),
      currency,
      guard: guard.mode,
      lookups: lookups.map(({ name, tells, countries, price, failsClosed }) => ({
        ...{ name, tells: [...tells], countries: countries === undefined ? null : [...countries] },
        ...{ price: price / MILLIONTHS, fails_closed: failsClosed },
      })),
      channels: [...channels],
      simulated: [...simulated],
      reaching: [...reaching],
      locales: [...new Set([...WORDINGS.keys(), ...Object.keys(messages.templates ?? {})])].sort(),
    },
  };
}

/** As `readSettings` reads them. */
export const writeSettings = ({ name, settings }: NamedSettings): Settings => ({
  name,
  brand: settings.brand,
  locale: settings.locale,
  code_length: settings.codeLength,
  sends_per_destination: formatLimits(settings.sendsPerDestination),
  failed_guesses_per_destination: formatLimits(settings.failedGuessesPerDestination),
  countries: [...settings.countries],
  budgets: settings.budgets?.length ? settings.budgets.map(formatBudget) : null,
  guard: settings.guard ?? null,
  twilio: settings.twilio === true,
  camara: settings.camara === true,
  refuse: showNumberRule(settings.refuse),
});

const showCeiling = ({ limits, isOwn }: ReturnType<AccountLimits['ceiling']>) => ({
  limits: limits.map(formatLimit),
  of: isOwn ? ('account' as const) : ('service' as const),
});

/** `stored`: what the account has. A limit of those may stay when a stricter one has come to hide it. */
export function readSettings(
  { accountId, stored }: { readonly accountId: string; readonly stored: AccountSettings },
  settings: Settings,
  defaults: SettingsRules,
):
  | { readonly ok: true; readonly settings: AccountSettings }
  | { readonly ok: false; readonly errors: readonly FieldError[] } {
  const limitsOf = (field: 'sends_per_destination' | 'failed_guesses_per_destination', kind: NumberLimit) =>
    readLimits(
      field,
      settings[field] ?? [],
      stored[kind],
      defaults.accountLimits.ceiling(accountId, kind).limits,
    );
  const sends = limitsOf('sends_per_destination', 'sendsPerDestination');
  const guesses = limitsOf('failed_guesses_per_destination', 'failedGuessesPerDestination');
  const refused = readNumberRule(settings.refuse, stored.refuse, defaults.lookups);
  const budgets = (settings.budgets ?? []).map((text, index) => ({ index, budget: parseBudget(text) }));
  const read: AccountSettings = {
    brand: settings.brand?.trim() ?? null,
    locale: settings.locale,
    codeLength: settings.code_length,
    sendsPerDestination: sends.limits,
    failedGuessesPerDestination: guesses.limits,
    countries: [...new Set(settings.countries)].sort(),
    budgets: budgets.map(({ budget }) => budget).filter((budget) => budget !== undefined),
    guard: settings.guard,
    twilio: settings.twilio === true ? true : null,
    camara: settings.camara === true ? true : null,
    refuse: refused.rule,
  };
  const errors = [
    ...checkWording(read, defaults),
    ...sends.errors,
    ...guesses.errors,
    ...refused.errors,
    ...checkCountries(settings.countries, 'countries'),
    ...budgets.flatMap(({ index, budget }) =>
      budget === undefined
        ? { field: `budgets/${index}`, code: 'wrong_format' as const, detail: BUDGET_RULE }
        : [],
    ),
  ];
  return errors.length === 0 ? { ok: true, settings: read } : { ok: false, errors };
}

const BUDGET_RULE =
  'must look like account 50 per day or key 100 messages per hour, with an amount above zero';

/** The settings of an account that shape its messages, and the error code of each. */
const WORDING: ReadonlyMap<string, FieldErrorCode> = new Map([
  ['brand', 'wrong_format'],
  ['locale', 'not_a_language'],
]);

/** The same checks as for the configuration; only faults in what the account sets are reported. */
function checkWording(settings: AccountSettings, { messages, code }: SettingsRules): FieldError[] {
  const found = checkMessages(messagesOf(messages, settings), settings.codeLength ?? code.length);
  return found.flatMap(({ level, key, detail }) => {
    const code = WORDING.get(key);
    return level === 'error' && code !== undefined ? { field: key, code, detail } : [];
  });
}

function readLimits(
  field: string,
  texts: readonly string[],
  stored: readonly Limit[],
  ceiling: readonly Limit[],
): { readonly limits: Limit[]; readonly errors: FieldError[] } {
  const limits: Limit[] = [];
  const errors: FieldError[] = [];
  for (const [index, text] of texts.entries()) {
    const read = readLimit(text, { before: limits, stored, ceiling });
    if ('code' in read) errors.push({ field: `${field}/${index}`, ...read });
    else limits.push(read);
  }
  return { limits, errors };
}

/** `before`: those of the same list that come before it. */
function readLimit(
  text: string,
  { before, stored, ceiling }: Record<'before' | 'stored' | 'ceiling', readonly Limit[]>,
): Limit | FieldFault {
  const limit = parseLimit(text);
  if (limit === undefined || limit.windowMs > LONGEST_ACCOUNT_WINDOW_MS) {
    return {
      code: 'not_a_limit',
      detail: 'must look like 5/10m, with a count of at most 1000000 and a period of at most a day (1d)',
    };
  }
  const isIn = (limits: readonly Limit[]) => limits.some((each) => formatLimit(each) === formatLimit(limit));
  if (isIn(before)) {
    return { code: 'no_effect', detail: 'is there already, and would have no effect a second time' };
  }
  const tighter = isIn(stored) ? undefined : findTighter(limit, ceiling);
  if (tighter === undefined) return limit;
  return {
    code: 'no_effect',
    detail: `${formatLimit(limit)} would have no effect, because ${formatLimit(tighter)} holds already`,
  };
}

function formatLimits(limits: readonly Limit[]): string[] | null {
  return limits.length === 0 ? null : limits.map(formatLimit);
}
