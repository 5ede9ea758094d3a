/** Tells the page when a call finds out that nobody is signed in any more. */
const heard = new EventTarget();
const OVER = 'over';

export const tellSignedOut = (): void => void heard.dispatchEvent(new Event(OVER));

/** Returns what ends it. */
export function onSignedOut(told: () => void): () => void {
  heard.addEventListener(OVER, told);
  return () => heard.removeEventListener(OVER, told);
}
