/** The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038), and the number of segments of a text. */

/** The character at index n has septet n; 0x1B, the escape to the extension table, is not a character. */
export const GSM7_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** The character at index n is sent as 0x1B, n; NUL if the table has none. */
export const GSM7_EXTENSION = extensionTable([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
]);

const GSM7_TEXT = new RegExp(
  `^[${inClass(GSM7_BASIC.replace('\u001b', ''))}${inClass(GSM7_EXTENSION.replaceAll('\0', ''))}]*$`,
);
const ESCAPED = new RegExp(`[${inClass(GSM7_EXTENSION.replaceAll('\0', ''))}]`, 'g');

/** Whether a text can be sent in the GSM 7-bit alphabet with its extension table; otherwise it needs UCS-2. */
export function isGsm7(text: string): boolean {
  return GSM7_TEXT.test(text);
}

/**
 * The number of short messages for a text: 160 septets in one or 153 in each of several; in UCS-2, 70 or 67 UTF-16 units.
 * Escaped septet pairs and surrogate pairs are not split, so a segment may be one unit short.
 */
export function countSegments(text: string): number {
  if (isGsm7(text)) {
    const septets = text.length + (text.match(ESCAPED)?.length ?? 0);
    return septets <= 160 ? 1 : fill(text, 153, (character) => (GSM7_BASIC.includes(character) ? 1 : 2));
  }
  return text.length <= 70 ? 1 : fill(text, 67, (character) => character.length);
}

function fill(text: string, room: number, cost: (character: string) => number): number {
  let segments = 1;
  let used = 0;
  for (const character of text) {
    const units = cost(character);
    used += units;
    if (used <= room) continue;
    segments += 1;
    used = units;
  }
  return segments;
}

function extensionTable(entries: readonly (readonly [number, string])[]): string {
  const table = Array<string>(128).fill('\0');
  for (const [septet, character] of entries) table[septet] = character;
  return table.join('');
}

function inClass(characters: string): string {
  return characters.replace(/[\\\]^-]/g, '\\$&');
}
