/** Languages as people read them. */

const names = new Intl.DisplayNames('en-GB', { type: 'language' });

/** `German`, of a tag such as `de`. */
export const languageName = (tag: string): string => names.of(tag) ?? tag;
