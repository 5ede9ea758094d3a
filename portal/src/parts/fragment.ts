let taken: string | undefined;

/** Takes a one-time token out of the address, so that it is neither kept in the history nor shared. */
export function takeToken(): string {
  if (taken === undefined || window.location.hash !== '') {
    taken = window.location.hash.slice(1);
    history.replaceState(history.state, '', window.location.pathname);
  }
  return taken;
}
