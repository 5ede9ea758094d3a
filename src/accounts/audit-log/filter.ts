/** Which entries of an audit log somebody wants to see. */
import { wordsOfAction } from '../../core/accounts/audit-action.ts';

/** What people look for, by the first words of actions. */
const WORDS = {
  keys: ['key'],
  people: ['account', 'member', 'person', 'portal', 'settings'],
  'sign-in': [
    ...['session', 'sessions', 'password', 'second-factor'],
    ...['totp', 'passkey', 'recovery-codes', 'identity'],
  ],
  numbers: ['number', 'range', 'verification', 'carrier'],
  guard: ['guard'],
  webhooks: ['webhook'],
  alerts: ['alerts'],
} as const satisfies Record<string, readonly string[]>;

const OTHER = 'other';

export type ActionGroup = keyof typeof WORDS | typeof OTHER;

/** `other` has the actions that no group before it has. */
export const ACTION_GROUPS: readonly ActionGroup[] = [
  'keys',
  'people',
  'sign-in',
  'numbers',
  'guard',
  'webhooks',
  'alerts',
  OTHER,
];

export interface AuditFilter {
  readonly group?: ActionGroup;
  /** A part of the name or of the IP address. */
  readonly who?: string;
  /** A part of the action, of the sentence that the portal makes of it, or of the detail. */
  readonly text?: string;
  /** Unix ms. */
  readonly from?: number;
  /** Unix ms, exclusive. */
  readonly to?: number;
}

interface Filtered {
  readonly who: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
}

const GROUP_OF = new Map<string, ActionGroup>(
  ACTION_GROUPS.flatMap((group) => (group === OTHER ? [] : WORDS[group].map((word) => [word, group]))),
);

/** Here and not in SQL, where the stores would fold capitals differently. Times are found by id instead. */
export function matches(entry: Filtered, { group, who, text }: Omit<AuditFilter, 'from' | 'to'>): boolean {
  const { action, subject, detail } = entry;
  if (group !== undefined && groupOf(action) !== group) return false;
  if (who !== undefined && !contains([entry.who, entry.address ?? ''], who)) return false;
  // As people read it, too.
  const sentence = `${entry.who} ${wordsOfAction(action).replace('{}', () => subject)}`;
  return text === undefined || contains([action, sentence, subject, detail], text);
}

const groupOf = (action: string): ActionGroup => GROUP_OF.get(action.split('.', 1)[0] ?? '') ?? OTHER;

function contains(fields: readonly string[], part: string): boolean {
  const wanted = part.toLowerCase();
  return fields.some((field) => field.toLowerCase().includes(wanted));
}
