import type { CarrierHealth } from '#contract/overview.ts';
import { formatCount } from '../../../format/number.ts';

interface CarrierState {
  readonly label: string;
  readonly color: 'green' | 'yellow' | 'red' | 'gray';
  /** The figures behind the label. */
  readonly volume?: string;
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
  const volume = `${formatCount(submitted)} of ${formatCount(attempted)} accepted`;
  return submitted === 0
    ? { label: 'Accepts nothing', color: 'red', volume }
    : { label: 'Working', color: 'green', volume };
}

const RANK = { red: 0, yellow: 1, green: 2, gray: 3 };

export const troubledFirst = (carriers: CarrierHealth): CarrierHealth =>
  [...carriers].sort((one, other) => RANK[stateOf(one).color] - RANK[stateOf(other).color]);
