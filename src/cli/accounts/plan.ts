/** What a file of accounts would change: everything that it names and that is not so yet. What it does not name stays. */
import { isDeepStrictEqual } from 'node:util';
import { describeBounds, type KeyEdit } from '../../accounts/account-keys.ts';
import { normalizeEmail } from '../../accounts/people.ts';
import { describeSettings, type NamedSettings } from '../../accounts/settings.ts';
import type { MemberRole } from '../../accounts/standing.ts';
import { NO_SETTINGS } from '../../core/accounts/account-settings.ts';
import { type ApiKey, type KeyRestrictions, UNRESTRICTED } from '../../core/accounts/api-key.ts';
import type { Records } from '../../core/sql/records.ts';
import { checkBounds, normalizeRestrictions } from '../../portal/keys/keys.ts';
import { readSettings, type SettingsRules, writeSettings } from '../../portal/settings/settings.ts';
import type { AccountEntry, AccountsFile, FileProblem, KeyEntry, SettingsEntry } from './accounts-file.ts';
import { findHeld, type HeldAccount } from './held.ts';

interface OfAccount {
  /** Its name. */
  readonly account: string;
  /** What is changed, without a secret. */
  readonly words: string;
}

type NewKeyBounds = Pick<ApiKey, 'test' | 'expiresAt' | 'restrictions' | 'customCodes'>;

/** Each is one step, of one transaction. */
export type AccountChange = OfAccount &
  (
    | { readonly kind: 'account' }
    | {
        readonly kind: 'settings';
        readonly wanted: NamedSettings;
        /** As they were stored when it was planned. */
        readonly stored: string | null;
      }
    | { readonly kind: 'new-key'; readonly name: string; readonly bounds: NewKeyBounds }
    | {
        readonly kind: 'key';
        /** As it was when it was planned. */
        readonly key: ApiKey;
        readonly change: KeyEdit;
      }
    | {
        readonly kind: 'invitation';
        readonly email: string;
        readonly role: MemberRole;
        /** The id of the invitation that was open when it was planned. */
        readonly replaces: string | null;
      }
    | {
        readonly kind: 'role';
        readonly personId: string;
        /** When it was planned. */
        readonly before: MemberRole;
        readonly role: MemberRole;
      }
  );

/** What one entry comes to. */
interface Part {
  readonly changes: readonly AccountChange[];
  readonly problems: readonly FileProblem[];
}

interface Place {
  readonly account: string;
  readonly held: HeldAccount | undefined;
  readonly rules: SettingsRules;
  readonly now: number;
}

const NOTHING: Part = { changes: [], problems: [] };

/** @throws {CommandFailure} that lists every problem of the file */
export async function planAccounts(
  records: Records,
  file: AccountsFile,
  rules: SettingsRules,
  now: number,
): Promise<readonly AccountChange[]> {
  const parts: Part[] = [];
  for (const [account, entry] of Object.entries(file.accounts))
    parts.push(planAccount({ account, held: await findHeld(records, account, now), rules, now }, entry));
  const problems = parts.flatMap((part) => part.problems);
  if (problems.length > 0) throw file.refuse(problems);
  return parts.flatMap(({ changes }) => changes);
}

function planAccount(place: Place, { settings, keys = {}, members = {} }: AccountEntry): Part {
  const { account, held } = place;
  const made: AccountChange[] =
    held === undefined ? [{ kind: 'account', account, words: 'new account' }] : [];
  const parts = [
    settings === undefined ? NOTHING : planSettings(place, settings),
    ...Object.entries(keys).map(([name, entry]) => planKey(place, name, entry)),
    ...Object.entries(members).map(([email, role]) => planMember(place, normalizeEmail(email), role)),
  ];
  return {
    changes: [...made, ...parts.flatMap(({ changes }) => changes)],
    problems: parts.flatMap(({ problems }) => problems),
  };
}

function planSettings({ account, held, rules }: Place, entry: SettingsEntry): Part {
  const before = held?.settings ?? { name: account, settings: NO_SETTINGS };
  const stored = before.settings;
  const read = readSettings(
    { accountId: held?.id ?? '', stored },
    { ...writeSettings(before), ...entry },
    rules,
  );
  const at = ['accounts', account, 'settings'];
  if (!read.ok) return { changes: [], problems: problemsAt(at, read.errors) };
  const wanted = { name: account, settings: read.settings };
  // Earlier versions left out what they did not know.
  if (isDeepStrictEqual(writeSettings(before), writeSettings(wanted))) return NOTHING;
  const words = `settings: ${describeSettings(before, wanted)}`;
  const change = { kind: 'settings', account, wanted, words } as const;
  return { changes: [{ ...change, stored: held?.storedSettings ?? null }], problems: [] };
}

function planKey({ account, held, now }: Place, name: string, entry: KeyEntry): Part {
  const at = ['accounts', account, 'keys', name];
  const found = (held?.keys ?? []).filter((key) => key.name === name);
  const [key, second] = found;
  if (second !== undefined) {
    const detail = `is the name of ${found.length} keys in use; rename or revoke all but one first`;
    return { changes: [], problems: [{ path: at, detail }] };
  }
  if (key !== undefined && entry.test !== undefined && entry.test !== key.test) {
    const detail = `is a ${kindOf(key)} key already, which stays one; give the new key another name`;
    return { changes: [], problems: [{ path: [...at, 'test'], detail }] };
  }
  const wanted = boundsOf(entry, key?.restrictions ?? UNRESTRICTED);
  const change = key === undefined ? wanted : differing(wanted, key);
  const problems = problemsAt(at, checkBounds(change, now));
  if (key !== undefined) {
    const words = `key ${name}: ${describeBounds(change)}`;
    const changes: AccountChange[] =
      Object.keys(change).length === 0 ? [] : [{ kind: 'key', account, key, change, words }];
    return { changes, problems };
  }
  const { expiresAt = null, restrictions = UNRESTRICTED, customCodes = false } = wanted;
  const bounds = { test: entry.test ?? false, expiresAt, restrictions, customCodes };
  const said = describeBounds(wanted);
  const words = `new ${kindOf(bounds)} key ${name}${said === '' ? '' : `: ${said}`}`;
  return { changes: [{ kind: 'new-key', account, name, bounds, words }], problems };
}

function planMember({ account, held }: Place, email: string, role: MemberRole): Part {
  const found = held?.members.get(email);
  if (found?.role === role) return NOTHING;
  if (found?.kind === 'member') {
    const words = `${email}: ${found.role} to ${role}`;
    return {
      changes: [{ kind: 'role', account, personId: found.id, before: found.role, role, words }],
      problems: [],
    };
  }
  const words = `invite ${email} as ${role}`;
  return {
    changes: [{ kind: 'invitation', account, email, role, replaces: found?.id ?? null, words }],
    problems: [],
  };
}

/** What the entry says; of restrictions, what it leaves out is as before. */
function boundsOf({ expires_at, restrictions, custom_codes }: KeyEntry, before: KeyRestrictions): KeyEdit {
  return {
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : Date.parse(expires_at) }),
    ...(restrictions !== undefined && {
      restrictions: normalizeRestrictions({ ...before, ...restrictions }),
    }),
    ...(custom_codes !== undefined && { customCodes: custom_codes }),
  };
}

function differing({ expiresAt, restrictions, customCodes }: KeyEdit, key: ApiKey): KeyEdit {
  return {
    ...(expiresAt !== undefined && expiresAt !== key.expiresAt && { expiresAt }),
    ...(restrictions !== undefined && !isDeepStrictEqual(restrictions, key.restrictions) && { restrictions }),
    ...(customCodes !== undefined && customCodes !== key.customCodes && { customCodes }),
  };
}

const kindOf = ({ test }: { readonly test: boolean }): string => (test ? 'test' : 'live');

const problemsAt = (
  at: readonly string[],
  errors: readonly { readonly field: string; readonly detail: string }[],
): FileProblem[] => errors.map(({ field, detail }) => ({ path: [...at, ...field.split('/')], detail }));
