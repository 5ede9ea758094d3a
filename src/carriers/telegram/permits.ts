/**
 * The requests that Telegram opened and charged for when it was asked whether a number can receive a code. A message that is tried
 * again goes under the same one, which costs nothing more, and which Telegram takes only once.
 */

/** Past this number the oldest is forgotten: its message would be charged for again. */
const MOST = 10_000;

export interface Permits {
  of(messageId: string): string | undefined;
  keep(messageId: string, requestId: string): void;
  forget(messageId: string): void;
}

export function createPermits(most = MOST): Permits {
  const kept = new Map<string, string>();
  return {
    of: (messageId) => kept.get(messageId),
    keep(messageId, requestId) {
      const [oldest] = kept.keys();
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
      kept.set(messageId, requestId);
    },
    forget: (messageId) => void kept.delete(messageId),
  };
}
