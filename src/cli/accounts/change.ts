/** What a plan is made of: changes, and problems of the file. */
import type { KeyEdit } from '../../accounts/account-keys.ts';
import type { NamedSettings } from '../../accounts/settings.ts';
import type { ApiKey } from '../../core/accounts/api-key.ts';
import type { MemberRole } from '../../core/accounts/role.ts';
import type { SettingsRules } from '../../portal/settings/settings.ts';
import type { FileProblem } from './accounts-file.ts';
import type { HeldAccount } from './held.ts';

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
export interface Planned {
  readonly changes: readonly AccountChange[];
  readonly problems: readonly FileProblem[];
}

/** The account that is planned. */
export interface Planning {
  readonly account: string;
  readonly held: HeldAccount | undefined;
  readonly rules: SettingsRules;
  readonly now: number;
}

export const NOTHING_PLANNED: Planned = { changes: [], problems: [] };

export const problemsAt = (
  at: readonly string[],
  errors: readonly { readonly field: string; readonly detail: string }[],
): FileProblem[] => errors.map(({ field, detail }) => ({ path: [...at, ...field.split('/')], detail }));
