/**
 * What a message says in one language. `{{code}}` and `{{brand}}` stand for themselves; a brand is put where it needs
 * no declension. The text begins with the code, so that a lock screen shows it, and fits one segment with a code of
 * 10 characters and a brand of 12.
 */
export interface Wording {
  readonly text: string;
  /** Follows the text where both fit one segment. */
  readonly warning: string;
  readonly speech: string;
  /** Separates the characters of a spoken code, where the script has a comma of its own. */
  readonly pause?: string;
}
