/** Texts as septets of the GSM 7-bit alphabet, one octet each: SMSCs take data_coding 0 unpacked. */
import { GSM7_BASIC, GSM7_EXTENSION } from '../../../core/message/segments.ts';

const ESCAPE = 0x1b;
const NONE = '\0';

const SEPTETS: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>(
  [
    ...[...GSM7_EXTENSION].map((character, septet) => [character, [ESCAPE, septet]] as const),
    ...[...GSM7_BASIC].map((character, septet) => [character, [septet]] as const),
  ].filter(([character]) => character !== NONE && character !== '\u001b'),
);

/** The septets of each character of `text`; undefined if the alphabet lacks one. */
export function encodeGsm7(text: string): (readonly number[])[] | undefined {
  const characters: (readonly number[])[] = [];
  for (const character of text) {
    const septets = SEPTETS.get(character);
    if (septets === undefined) return undefined;
    characters.push(septets);
  }
  return characters;
}
