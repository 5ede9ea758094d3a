/**
 * Names appear in lists, in the audit log, on terminals and in messages. There a control character could have an effect, a
 * direction mark (Unicode TR 9) could turn the text around, and an invisible character could make two names look the same.
 * Joiners and variation selectors are allowed: Asian scripts and emoji need them.
 */
const UNSEEN = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';
const JOINING = '\\u200C\\u200D\\uFE0E\\uFE0F';
const SEEN = '\\p{L}\\p{N}\\p{P}\\p{S}';

/** In ECMAScript's `u` mode, as in JSON Schema. */
export const NAME_PATTERN = `^(?=.*[${SEEN}])(?:[^${UNSEEN}]|[${JOINING}])*$`;
export const EMAIL_PATTERN = `^[^\\s@${UNSEEN}]+@[^\\s@${UNSEEN}]+$`;

export const NAME_RULE = 'Visible text, without control or invisible characters.';

const NAME = new RegExp(NAME_PATTERN, 'u');
const EMAIL = new RegExp(EMAIL_PATTERN, 'u');

export const isName = (text: string): boolean => NAME.test(text);
export const isEmail = (text: string): boolean => EMAIL.test(text);
