/**
 * What a flow may cost: a request, its message over an HTTP carrier, and its confirmation, with the guard judging. Bytes allocated
 * have no bound: how many they are depends on what V8 has compiled by then, and so on the machine.
 */

export interface Bound {
  readonly most: number;
  /** What it is made of. To raise it needs a line in docs/adr/0048. */
  readonly why: string;
}

/** By the event loop, for each flow of many that come one after the other. */
export const OF_THE_LOOP = {
  hmacs: {
    most: 4,
    why: 'of the destination, the recipient, the code that is made and the code that is typed',
  },
  hashes: { most: 2, why: 'of the API key, once a request: no connection keeps a key in clear' },
  seals: { most: 2, why: 'the destination and the code, apart: the code is erased first' },
  opens: { most: 1, why: 'the destination, for the answer to the confirmation' },
  calls: { most: 3, why: 'of the store: issue, settle, confirm' },
  writes: { most: 3, why: 'two answers and one message' },
  promises: {
    most: 38.2,
    why: 'two requests, three calls of the store, an exchange with the carrier, and the round around it; connections that are opened, once for many',
  },
  logged: { most: 500, why: 'a line for each request, and no other' },
} as const satisfies Record<string, Bound>;

export type Counted = keyof typeof OF_THE_LOOP;
export const COUNTED = Object.keys(OF_THE_LOOP) as readonly Counted[];

/** By the embedded store, in pages of its journal, for each flow of many whose calls come in batches of 36, as under load. */
export const OF_THE_STORE = {
  silent: {
    most: 2.55,
    why: 'one of an index of hashes; the rest are rows beside each other, and shared; 0.17 of the queue (ADR 54)',
  },
  heard: { most: 4.9, why: 'two more of indexes: by the reference, by the recipient' },
} as const satisfies Record<string, Bound>;
