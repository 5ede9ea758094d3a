/** Where the evidence of a refusal lies, in the form in which the store and the portal name it. */
import { maskDestination } from '../../core/destination/destination-mask.ts';
import type { Ask } from '../ask.ts';
import { KINDS, type PlaceKind } from '../parameters.ts';
import { PLACE_KINDS, rangeOf } from '../request-places.ts';

export interface NamedPlace {
  /** Its kind and where it is, such as `range4 +21266123`: one name for one place, over all accounts and nodes. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** Undefined if the evidence is a number's, or an operator's rule. */
  readonly kind: PlaceKind | undefined;
  /** The account that it belongs to; null if it is one for all. */
  readonly account: string | null;
}

/** Digits of a number that are never shown: the range of 10,000. */
const HIDDEN = 4;
const LAST_DIGITS = '0'.repeat(3);

/** A number as the range that it is in, such as `+21266123••••`. */
export function maskToRange(destination: string): string {
  if (destination.startsWith('sip:')) return maskDestination(destination);
  return `+${rangeOf(destination, HIDDEN) ?? ''}${'•'.repeat(HIDDEN)}`;
}

/** The same request from anybody else of the range: its places are the same, and it names no number. */
export function withoutNumber(ask: Ask): Ask {
  const range = rangeOf(ask.destination, LAST_DIGITS.length);
  return { ...ask, number: '', destination: range === undefined ? '' : `+${range}${LAST_DIGITS}` };
}

/** The place that a rule such as `closed:range4` is about. */
export function placeOf(rule: string, ask: Ask): NamedPlace {
  const [, said] = /^(?:closed|room):(.*)$/.exec(rule) ?? [];
  const kind = PLACE_KINDS.find((each) => each === said);
  if (kind === undefined) {
    const isOfNumber = rule === 'bombing' || rule === 'silent-number';
    const where = isOfNumber ? maskToRange(ask.destination) : ask.account;
    return {
      // Accounts read it: whose codes a number did not confirm is for the operator, who has the rule.
      name: isOfNumber ? `silent-number ${where}` : `${rule} ${where}`,
      label: isOfNumber ? `${rule} ${where}` : rule,
      kind,
      account: ask.account,
    };
  }
  const { label } = KINDS[kind];
  const { account, country, key, network = '', device = '' } = ask;
  switch (kind) {
    case 'range3':
    case 'range4':
    case 'range5':
    case 'range6': {
      const range = `+${rangeOf(ask.destination, Number(kind.slice(-1))) ?? ''}`;
      return { name: `${kind} ${range}`, label: `${label} ${range}`, kind, account: null };
    }
    case 'country':
      return { name: `${kind} ${country}`, label: `${label} ${country}`, kind, account: null };
    case 'account-country':
      return { name: `${kind} ${account} ${country}`, label: `${label} ${country}`, kind, account };
    case 'key':
      return { name: `${kind} ${account} ${key}`, label, kind, account };
    case 'network':
      // A part of its keyed hash tells networks apart, and says nothing about them.
      return { name: `${kind} ${network.slice(0, 12)}`, label, kind, account: null };
    case 'device':
      return { name: `${kind} ${device.slice(0, 12)}`, label, kind, account };
    case 'account':
    case 'unproven':
      return { name: `${kind} ${account}`, label, kind, account };
  }
}
