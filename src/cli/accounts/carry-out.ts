/** Carries a plan out, by what the portal and the other commands do. Each change is written with its entry in the audit log. */
import { createAccountKeys } from '../../accounts/account-keys.ts';
import { addAccount, findAccountId } from '../../accounts/accounts.ts';
import { invite } from '../../accounts/invitations.ts';
import { changeMember } from '../../accounts/members.ts';
import { changeSettings } from '../../accounts/settings.ts';
import { type Condition, provided, sameKey, sameSettings } from '../../accounts/unchanged.ts';
import { COMMAND_LINE } from '../../core/accounts/actor.ts';
import { mintKey } from '../../core/accounts/api-key-format.ts';
import type { Records } from '../../core/sql/records.ts';
import { CommandFailure } from '../failure.ts';
import type { AccountChange } from './change.ts';

/** What nobody is shown again. */
export interface MadeSecret {
  readonly account: string;
  /** The name of a key, or an address. */
  readonly of: string;
  readonly kind: 'key' | 'invitation';
  readonly secret: string;
}

/** Of the other changes there is nothing to keep. */
type Carried = MadeSecret | undefined;

/** @throws {CommandFailure} if the store has changed since it was planned so that it cannot be done */
export async function carryOut(records: Records, change: AccountChange, now: number): Promise<Carried> {
  const { account } = change;
  if (change.kind === 'account') {
    if ((await addAccount(records, account, COMMAND_LINE, now)) === undefined) throw overtaken(change);
    return undefined;
  }
  const accountId = await findAccountId(records, account);
  if (accountId === undefined) throw overtaken(change);
  const planned = (condition: Condition) => provided(records, accountId, condition, () => overtaken(change));
  switch (change.kind) {
    case 'settings': {
      const unchanged = planned(sameSettings(accountId, account, change.stored));
      const outcome = await changeSettings(unchanged, accountId, change.wanted, COMMAND_LINE, now);
      if (outcome !== 'changed') throw overtaken(change);
      return undefined;
    }
    case 'new-key': {
      const { name, bounds } = change;
      const { key: secret, ...minted } = mintKey(records.random, bounds.test);
      const free = planned({
        sql: `SELECT 1 AS free WHERE NOT EXISTS (
          SELECT 1 FROM api_key WHERE account_id = $1 AND name = $2 AND revoked_at IS NULL AND replaced_by IS NULL
            AND (expires_at IS NULL OR expires_at > $3))`,
        args: [accountId, name, now],
      });
      const outcome = await createAccountKeys(free, 'owner').add(
        accountId,
        { ...minted, ...bounds, name, createdAt: now },
        COMMAND_LINE,
      );
      if (outcome.kind === 'too-many')
        throw new CommandFailure(`${account} has too many keys in use; revoke some`);
      if (outcome.kind !== 'done') throw overtaken(change);
      return { account, of: name, kind: 'key', secret };
    }
    case 'key': {
      const { key } = change;
      const keys = createAccountKeys(planned(sameKey(key)), 'owner');
      const outcome = await keys.change(accountId, key.id, change.change, COMMAND_LINE, now);
      if (outcome.kind !== 'done') throw overtaken(change);
      return undefined;
    }
    case 'invitation': {
      const { email, role, replaces } = change;
      const unchanged = planned({
        sql: `SELECT 1 AS unchanged WHERE CAST($1 AS TEXT) IS NOT DISTINCT FROM (
          SELECT id FROM invitation WHERE account_id = $2 AND email = $3 AND expires_at > $4)`,
        args: [replaces, accountId, email, now],
      });
      const outcome = await invite(unchanged, { accountId, email, role }, COMMAND_LINE, now);
      if (outcome.kind !== 'invited') throw overtaken(change);
      return { account, of: email, kind: 'invitation', secret: outcome.token };
    }
    case 'role': {
      const { personId, before, role } = change;
      const unchanged = planned({
        sql: 'SELECT 1 AS unchanged FROM member WHERE account_id = $1 AND person_id = $2 AND role = $3',
        args: [accountId, personId, before],
      });
      const by = { ...COMMAND_LINE, accountId, records: unchanged };
      const outcome = await changeMember(by, personId, role, now);
      if (outcome === 'last-owner') {
        throw new CommandFailure(
          `${account}: ${change.words}: an account keeps an owner; make another one first`,
        );
      }
      if (outcome !== 'done') throw overtaken(change);
      return undefined;
    }
  }
}

const overtaken = ({ account, words }: AccountChange) =>
  new CommandFailure(`${account}: ${words}: it was changed by somebody else meanwhile; run it again`);
