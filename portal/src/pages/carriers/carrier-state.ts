import type { CarrierHealth } from '#contract/overview.ts';

interface CarrierState {
  readonly label: string;
  readonly color: 'green' | 'yellow' | 'red' | 'gray';
}

type Trouble = NonNullable<CarrierHealth[number]['installation']['trouble']>;

export const TROUBLES: Readonly<Record<Trouble, string>> = {
  'refuses-settings': 'Refuses our settings',
  'no-link': 'No link',
  'set-aside': 'Set aside',
};

/**
 * `account` shows whether a carrier works; what keeps it from taking messages does so for all accounts. `ofDay`: the account’s attempts
 * of the last day, where they are known.
 */
export function stateOf({ installation, account }: CarrierHealth[number], ofDay?: number): CarrierState {
  const { breaker, trouble } = installation;
  if (trouble !== null) return { label: TROUBLES[trouble], color: 'red' };
  if (breaker === 'half-open') return { label: 'Being retried', color: 'yellow' };
  const { attempted, submitted } = account;
  if (attempted === 0) return { label: `None in the last ${ofDay === 0 ? 'day' : 'hour'}`, color: 'gray' };
  return submitted === 0 ? { label: 'Accepts nothing', color: 'red' } : { label: 'Working', color: 'green' };
}
