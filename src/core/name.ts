/**
 * What people call things and one another. Names are read in lists, in the audit log, on terminals and in messages: a control
 * character may act there, one of direction (Unicode TR 9) turns the text around it, and one that cannot be seen makes two
 * names look the same. Joiners and variation selectors stay: scripts of Asia and emoji are written with them.
 */
const UNSEEN = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';
const JOINING = '\\u200C\\u200D\\uFE0E\\uFE0F';
const SEEN = '\\p{L}\\p{N}\\p{P}\\p{S}';

/** In the `u` mode of ECMAScript, as JSON Schema has it. */
export const NAME_PATTERN = `^(?=.*[${SEEN}])(?:[^${UNSEEN}]|[${JOINING}])*$`;
export const EMAIL_PATTERN = `^[^\\s@${UNSEEN}]+@[^\\s@${UNSEEN}]+$`;

/** What the pattern asks for. */
export const NAME_RULE = 'Text that can be seen, without control or invisible characters.';

const NAME = new RegExp(NAME_PATTERN, 'u');
const EMAIL = new RegExp(EMAIL_PATTERN, 'u');

export const isName = (text: string): boolean => NAME.test(text);
export const isEmail = (text: string): boolean => EMAIL.test(text);
