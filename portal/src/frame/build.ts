const ENTRY = /<script type="module"[^>]*\ssrc="([^"]+)"/;
const RELOADED = 'countersign-reloaded';
/** Between two versions that take turns, as behind a proxy during an upgrade, nobody is sent to and fro. */
const ONCE_IN_MS = 60_000;

/** Why a part of the build does not come. */
export type Absence = 'away' | 'upgraded' | 'missing';

export async function whyAbsent(): Promise<Absence> {
  const served = await fetch('/portal/', { cache: 'no-store' }).catch(() => undefined);
  if (served?.ok !== true) return 'away';
  const entry = ENTRY.exec(await served.text())?.[1];
  const own = document.querySelector('script[type=module]')?.getAttribute('src');
  return entry === own ? 'missing' : 'upgraded';
}

/** Loads the page again unless that was done just now; answers whether it does. */
export function reloadByItself(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < ONCE_IN_MS) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  window.location.reload();
  return true;
}
