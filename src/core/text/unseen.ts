/**
 * Characters that nobody sees: soft hyphens, joiners, marks of direction, fillers, variation selectors and whatever else Unicode
 * calls a format character or ignorable. What is copied from a page, a chat or a list of contacts brings them along.
 */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

export const withoutUnseen = (text: string): string => text.replace(UNSEEN, '');

/** For people who look for what is wrong with a text. */
export const showUnseen = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
