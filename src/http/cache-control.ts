/** How long browsers keep an answer; by default they keep none. */

/** The address has a hash of the content in it. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Kept, and asked for again each time with its entity tag. */
export const REVALIDATED = 'no-cache';
