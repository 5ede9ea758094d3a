import { hash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets or signatures are the same; neither length nor place of a difference shows in the time it takes. */
export function areEqual(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
