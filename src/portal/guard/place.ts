import { PLACES, type PlaceFilter } from './contract.ts';

/** Whose codes a number did not confirm is told to nobody: people of one account learn nothing of another. */
const BOMBING = 'bombing';
const SILENT = 'silent-number';

/** As it is told to the people of an account. */
export const toldRule = (rule: string): string => (rule === BOMBING ? SILENT : rule);

/** A detail of an earlier version may speak of another account. */
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
    // What names a network or a device says nothing to people.
    case 'network':
    case 'device':
    case 'account':
    case 'unproven':
    case 'operator-deny':
    case 'operator-pause':
      return null;
    default:
      return first;
  }
}
