const ENTRY = /<script type="module"[^>]*\ssrc="([^"]+)"/;
const RELOADED = 'countersign-reloaded';
/** During an upgrade behind a proxy, two versions may take turns: the page must not reload back and forth. */
const ONCE_IN_MS = 60_000;

/** Why a part of the build does not load. */
export type Absence = 'away' | 'upgraded' | 'missing';

export async function whyAbsent(): Promise<Absence> {
  const served = await fetch('/portal/', { cache: 'no-store' }).catch(() => undefined);
  if (served?.ok !== true) return 'away';
  const entry = ENTRY.exec(await served.text())?.[1];
  const own = document.querySelector('script[type=module]')?.getAttribute('src');
  return entry === own ? 'missing' : 'upgraded';
}

/** Reloads the page unless it did so just now; returns whether it does. */
export function reloadByItself(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < ONCE_IN_MS) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
  return true;
}
