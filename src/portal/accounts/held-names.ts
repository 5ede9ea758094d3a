/**
 * Names by which the service itself finds accounts: commands by `default`, single sign-on by those of its newcomers. Whoever owned an
 * account of such a name would be handed keys and people that are meant for another, so only commands give them.
 */
import { DEFAULT_ACCOUNT } from '../../core/accounts/default-account.ts';
import type { FieldFault } from '../../core/errors/field-error.ts';
import type { NewcomerRule } from '../../identity/oidc/provider.ts';

export interface Admitting {
  readonly newcomers: readonly NewcomerRule[];
}

/** Why an account may not be called so; `before` is what it is called now, if it is there. */
export function findHeldName(
  providers: readonly Admitting[],
  name: string,
  before?: string,
): FieldFault | undefined {
  if (name === before) return undefined;
  const joined = new Set(providers.flatMap(({ newcomers }) => newcomers.map(({ account }) => account)));
  if (before !== undefined && joined.has(before)) return KEPT;
  return name === DEFAULT_ACCOUNT || joined.has(name) ? HELD : undefined;
}

const HELD: FieldFault = {
  code: 'not_allowed_value',
  detail: 'is a name by which the service itself finds an account; choose another',
};
const KEPT: FieldFault = {
  code: 'not_allowed_value',
  detail:
    'must stay, because the configuration admits newcomers to this account by it (portal.oidc); the operator has to change that first',
};
