import { PLACES, type Place } from './contract.ts';

/** A place from its name in the store, which src/guard/live/place.ts gave it. */
export function readPlace(name: string, keyNames: ReadonlyMap<string, string>): Place {
  const [said, ...rest] = name.split(' ');
  const kind = PLACES.find((each) => each === said) ?? 'account';
  return { name, kind, where: whereOf(kind, rest, keyNames) };
}

function whereOf(
  kind: Place['kind'],
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
