/** Which requests the handlers read: small JSON from a page of their own origin. */

/** The body of an honest request has fewer. */
const MOST_BYTES = 4_096;

/**
 * A page of another site cannot send JSON without being asked first (CORS), nor set fetch metadata, which every current
 * browser sends; the origin is for older ones. A request with neither is refused.
 */
export function isFromOwnPage(request: Request): boolean {
  const { method, headers } = request;
  const mediaType = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (method !== 'POST' || mediaType !== 'application/json') return false;
  const site = headers.get('sec-fetch-site');
  return site === null ? isOwnOrigin(request) : site === 'same-origin';
}

/**
 * Only the host is compared, under the origin's scheme: behind a proxy, the request may be `http:` with port 443.
 */
function isOwnOrigin({ headers, url }: Request): boolean {
  try {
    const { protocol, host } = new URL(headers.get('origin') ?? '');
    return host === new URL(`${protocol}//${new URL(url).host}`).host;
  } catch {
    return false;
  }
}

/** Undefined if it is not an object, or too large. */
export async function readJson(request: Request): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse((await readText(request.body ?? [])) ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined as soon as there is too much of it. */
export async function readText(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
