let taken: string | undefined;

/** A one-time token from the address, which is cleared at once: it must not stay in the history or be shared along. */
export function takeToken(): string {
  if (taken === undefined || window.location.hash !== '') {
    taken = window.location.hash.slice(1);
    history.replaceState(null, '', window.location.pathname);
  }
  return taken;
}
