/** What a key inherits by rotation: what somebody set for a key, and what is counted of it, holds for its successors too. */

/** A key, and the ids of those that it came from, the first one first; absent if it was never rotated. */
export interface InSuccession {
  readonly keyId: string;
  readonly predecessors?: readonly string[] | undefined;
}

/** The ids that a key keeps of those before it: the first, and the latest. */
export const MOST_PREDECESSORS = 500;

/** Of a key that replaces this one. */
export function predecessorsOfNext({ keyId, predecessors = [] }: InSuccession): readonly string[] {
  const [first, ...others] = [...predecessors, keyId];
  return first === undefined ? [] : [first, ...others.slice(-(MOST_PREDECESSORS - 1))];
}

/** The key that its line began with. */
export const firstOfLine = ({ keyId, predecessors }: InSuccession): string => predecessors?.[0] ?? keyId;

/** Whether it is the key of this id, or came from it. */
export const isOfLine = ({ keyId, predecessors }: InSuccession, id: string): boolean =>
  keyId === id || predecessors?.includes(id) === true;

/** As a store keeps them: JSON, or null. */
export const readPredecessors = (stored: unknown): readonly string[] | undefined =>
  typeof stored === 'string' ? JSON.parse(stored) : undefined;

/** The same for what has no such field where there are none. */
export function withPredecessors(stored: unknown): Pick<InSuccession, 'predecessors'> {
  const predecessors = readPredecessors(stored);
  return predecessors === undefined ? {} : { predecessors };
}
