import type { CreatedKey, Key } from '#contract/keys.ts';

/** The dialog that the page shows, and for which key. */
export type KeyTask =
  | { readonly kind: 'none' | 'create' }
  | { readonly kind: 'edit' | 'rotate' | 'revoke'; readonly key: Key }
  | { readonly kind: 'created'; readonly created: CreatedKey };
