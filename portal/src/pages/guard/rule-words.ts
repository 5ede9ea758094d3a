import type { GuardRuleRequest } from '#contract/guard.ts';

export const ACTIONS: Readonly<
  Record<GuardRuleRequest['action'], { readonly label: string; readonly means: string }>
> = {
  allow: { label: 'Allow', means: 'always send, whatever the evidence' },
  deny: { label: 'Deny', means: 'never send' },
  pause: { label: 'Pause', means: 'send nothing until a time' },
};

interface Subject {
  readonly label: string;
  /** What to type; undefined if it is chosen. */
  readonly example?: string;
}

export const SUBJECTS: Readonly<Record<GuardRuleRequest['subject'], Subject>> = {
  range: { label: 'Numbers that begin with', example: '+99899394' },
  country: { label: 'Numbers of the country' },
  number: { label: 'Number', example: '+14155550123' },
  key: { label: 'API key' },
  address: { label: 'Clients at the IP address', example: '203.0.113.9' },
  account: { label: 'Whole account' },
};

/** In the order of the table, with their names. */
export function choicesOf<K extends string>(
  table: Readonly<Record<K, { readonly label: string; readonly means?: string }>>,
): { value: string; label: string }[] {
  return Object.entries<{ label: string; means?: string }>(table).map(([value, { label, means }]) => ({
    value,
    label: means === undefined ? label : `${label}: ${means}`,
  }));
}
