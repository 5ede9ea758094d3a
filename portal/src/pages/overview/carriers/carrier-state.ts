import type { CarrierHealth } from '#contract/overview.ts';
import { formatCount } from '../../../format/number.ts';

interface CarrierState {
  readonly label: string;
  readonly color: 'green' | 'yellow' | 'red' | 'gray';
  /** The figures behind the label. */
  readonly volume?: string;
}

/** `account` shows whether a carrier works; it is set aside for all accounts. */
export function stateOf({ installation, account }: CarrierHealth[number]): CarrierState {
  const { attempted, submitted } = account;
  const volume = `${formatCount(submitted)} of ${formatCount(attempted)} accepted`;
  switch (installation.breaker) {
    case 'open':
      return { label: 'Set aside', color: 'red' };
    case 'half-open':
      return { label: 'Being retried', color: 'yellow' };
    default:
      if (attempted === 0) return { label: 'No traffic yet', color: 'gray' };
      return submitted === 0
        ? { label: 'Accepts nothing', color: 'red', volume }
        : { label: 'Working', color: 'green', volume };
  }
}
