import type { CreatedKey, Key } from '#contract/keys.ts';

/** What the page asks about: nothing, a new key, or what to do with one. */
export type KeyTask =
  | { readonly kind: 'none' | 'create' }
  | { readonly kind: 'edit' | 'rotate' | 'revoke'; readonly key: Key }
  | { readonly kind: 'created'; readonly created: CreatedKey };
