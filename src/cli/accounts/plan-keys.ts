/** What a file of accounts would change of the keys of one. */
import { isDeepStrictEqual } from 'node:util';
import { describeBounds, type KeyEdit, MAX_KEYS_IN_USE } from '../../accounts/account-keys.ts';
import { type ApiKey, type KeyRestrictions, UNRESTRICTED } from '../../core/accounts/api-key.ts';
import { checkBounds, normalizeRestrictions } from '../../portal/keys/keys.ts';
import type { AccountEntry, KeyEntry } from './accounts-file.ts';
import { type AccountChange, type Planned, type Planning, problemsAt } from './change.ts';

export function planKeys(planning: Planning, keys: NonNullable<AccountEntry['keys']>): Planned {
  const parts = Object.entries(keys).map(([name, entry]) => planKey(planning, name, entry));
  const changes = parts.flatMap((part) => part.changes);
  const problems = parts.flatMap((part) => part.problems);
  const made = changes.filter(({ kind }) => kind === 'new-key').length;
  const inUse = (planning.held?.keysInUse ?? 0) + made;
  if (made === 0 || inUse <= MAX_KEYS_IN_USE) return { changes, problems };
  const detail = `would be ${inUse} in use, and an account has at most ${MAX_KEYS_IN_USE}; leave some out, or revoke some first`;
  return { changes, problems: [...problems, { path: ['accounts', planning.account, 'keys'], detail }] };
}

function planKey({ account, held, now }: Planning, name: string, entry: KeyEntry): Planned {
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
  // What the file wants is so already.
  if (key === undefined && isOver(wanted, now) && held?.ended.has(name)) {
    const { restrictions } = wanted;
    return { changes: [], problems: problemsAt(at, checkBounds({ restrictions }, now)) };
  }
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

const isOver = ({ expiresAt }: KeyEdit, now: number): boolean =>
  typeof expiresAt === 'number' && expiresAt <= now;

const kindOf = ({ test }: { readonly test: boolean }): string => (test ? 'test' : 'live');
