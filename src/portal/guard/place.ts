import { PLACES, type PlaceFilter } from './contract.ts';

/** Nobody is told whose codes a number did not confirm: people of one account learn nothing about another. */
const BOMBING = 'bombing';
const SILENT = 'silent-number';

/** As the people of an account see it. */
export const toldRule = (rule: string): string => (rule === BOMBING ? SILENT : rule);

/** A detail from an earlier version may mention another account. */
export const toldDetail = (rule: string, detail: string): string =>
  toldRule(rule) === SILENT ? 'codes to this number were not confirmed' : detail;

/** A place from its name in the store, which src/guard/live/place.ts gave it. */
export function readPlace(stored: string, keyNames: ReadonlyMap<string, string>): PlaceFilter {
  const [first = '', ...rest] = stored.split(' ');
  const said = toldRule(first);
  const name = [said, ...rest].join(' ');
  const kind = PLACES.find((each) => each === said) ?? 'account';
  return { name, kind, where: whereOf(kind, rest, keyNames) };
}

function whereOf(
  kind: PlaceFilter['kind'],
  [first = '', second = '']: readonly string[],
  keyNames: ReadonlyMap<string, string>,
): string | null {
  switch (kind) {
    case 'account-country':
      return second;
    case 'key':
      return keyNames.get(second) ?? second;
    // The name of a network or a device means nothing to people.
    case 'network':
    case 'device':
    case 'account':
    case 'unproven':
    case 'operator-deny':
    case 'operator-pause':
    case 'lookup-line-type':
    case 'lookup-swapped':
    case 'lookup-ported':
    case 'lookup-recycled':
      return null;
    default:
      return first;
  }
}
