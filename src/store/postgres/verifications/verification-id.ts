/** Ids are `ver_` and a UUIDv7 in hex; the database keeps the UUID, whose first 48 bits are the time (RFC 9562, 5.7). */
const FORM = /^ver_([0-9a-f]{32})$/;

/** The UUID of an id; undefined if it is not one of our ids. */
export function uuidOf(id: string): string | undefined {
  return FORM.exec(id)?.[1];
}

/** The UUID of an id that we made. */
export function ownUuidOf(id: string): string {
  const uuid = uuidOf(id);
  if (uuid === undefined) throw new Error('an id is not ver_ and a UUID in hex');
  return uuid;
}

export function idOf(uuid: string): string {
  return `ver_${uuid.replaceAll('-', '')}`;
}

/** The lowest UUID of a time, in Unix ms. */
export function lowestUuid(at: number): string {
  return Math.max(0, at).toString(16).padStart(12, '0').padEnd(32, '0');
}

/** When a UUID was made, in Unix ms. */
export function timeOf(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 12), 16);
}
