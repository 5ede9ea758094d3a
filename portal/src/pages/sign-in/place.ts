const BASE = '/portal';

/**
 * Where to go after signing in: the page that the address names, or the first page if that is not one of the portal's.
 * A browser's reading of the path decides: `/..//host` leaves the portal, `/\host` and `//host` the site.
 */
export function placeOf(back: string | null, origin: string): string {
  if (back === null || !back.startsWith('/')) return '/';
  const url = URL.parse(BASE + back, origin);
  if (url?.origin !== origin || !url.pathname.startsWith(`${BASE}/`)) return '/';
  const place = url.pathname.slice(BASE.length) + url.search;
  return place.startsWith('//') ? '/' : place;
}
