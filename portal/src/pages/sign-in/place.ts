const BASE = '/portal';

/**
 * Where to go after signing in: what the address asks for where that is a page of the portal, and the portal's first page
 * otherwise. What a browser makes of it decides, since it is what goes there: `/..//host` leaves the portal, `/\host` and
 * `//host` the site.
 */
export function placeOf(back: string | null, origin: string): string {
  if (back === null || !back.startsWith('/')) return '/';
  const url = URL.parse(BASE + back, origin);
  if (url?.origin !== origin || !url.pathname.startsWith(`${BASE}/`)) return '/';
  const place = url.pathname.slice(BASE.length) + url.search;
  return place.startsWith('//') ? '/' : place;
}
