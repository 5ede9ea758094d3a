/** What the store holds of an account, of what a file of accounts can say. */
import { createAccountKeys } from '../../accounts/account-keys.ts';
import { type NamedSettings, readStored } from '../../accounts/settings.ts';
import type { ApiKey } from '../../core/accounts/api-key.ts';
import type { MemberRole } from '../../core/accounts/role.ts';
import { query, type Records, type Row } from '../../core/sql/records.ts';
import { isInUse } from '../../portal/keys/keys.ts';

interface HeldMember {
  readonly kind: 'member' | 'invited';
  /** Of the person, or of the open invitation. */
  readonly id: string;
  readonly role: MemberRole;
}

export interface HeldAccount {
  readonly id: string;
  readonly settings: NamedSettings;
  /** As they are stored: what is changed must not have changed meanwhile. */
  readonly storedSettings: string | null;
  /** In use, and not replaced: of a rotated key the successor stands for both. Oldest first. */
  readonly keys: readonly ApiKey[];
  /** How many are in use, also of those that were replaced. */
  readonly keysInUse: number;
  /** The names of keys that have expired or were revoked. */
  readonly ended: ReadonlySet<string>;
  /** By address; also who has an open invitation. */
  readonly members: ReadonlyMap<string, HeldMember>;
}

/** Undefined if there is no account of that name. */
export async function findHeld(
  records: Records,
  name: string,
  now: number,
): Promise<HeldAccount | undefined> {
  const [account] = await query(
    records,
    'SELECT id, settings FROM account LEFT JOIN account_setting ON account_id = account.id WHERE name = $1',
    name,
  );
  if (account === undefined) return undefined;
  const id = String(account.id);
  const storedSettings = account.settings as string | null;
  const [keys, invited, members] = await Promise.all([
    createAccountKeys(records, 'owner').list(id),
    query(
      records,
      'SELECT id, email, role FROM invitation WHERE account_id = $1 AND expires_at > $2',
      ...[id, now],
    ),
    query(
      records,
      'SELECT person.id AS id, email, role FROM member JOIN person ON person.id = person_id WHERE account_id = $1',
      id,
    ),
  ]);
  const inUse = keys.filter((key) => isInUse(key, now));
  return {
    ...{ id, storedSettings },
    settings: { name, settings: readStored(storedSettings) },
    keys: inUse.filter((key) => key.replacedBy === null).reverse(),
    keysInUse: inUse.length,
    ended: new Set(keys.filter((key) => !isInUse(key, now)).map((key) => key.name)),
    members: new Map([...invited.map(heldAs('invited')), ...members.map(heldAs('member'))]),
  };
}

const heldAs =
  (kind: HeldMember['kind']) =>
  ({ email, id, role }: Row): readonly [string, HeldMember] => [
    String(email),
    { kind, id: String(id), role: role as MemberRole },
  ];
