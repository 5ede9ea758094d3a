import type { CarrierHealth } from '#contract/overview.ts';
import { formatCount } from '../../format/number.ts';

interface CarrierState {
  readonly label: string;
  readonly color: 'green' | 'yellow' | 'red' | 'gray';
  /** What the word rests on. */
  readonly volume?: string;
}

/** That a carrier works is said with the messages that show it; that it is set aside is so whoever sends. */
export function stateOf({ installation, account }: CarrierHealth[number]): CarrierState {
  const { attempted, submitted } = account;
  const volume = `${formatCount(submitted)} of ${formatCount(attempted)} taken`;
  switch (installation.breaker) {
    case 'open':
      return { label: 'Set aside', color: 'red' };
    case 'half-open':
      return { label: 'Being tried again', color: 'yellow' };
    default:
      if (attempted === 0) return { label: 'No traffic yet', color: 'gray' };
      return submitted === 0
        ? { label: 'Takes nothing', color: 'red', volume }
        : { label: 'Works', color: 'green', volume };
  }
}
