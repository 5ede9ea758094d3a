/** The certificates that SNS signs with: fetched from AWS once, then cached. */
import { type KeyObject, X509Certificate } from 'node:crypto';
import { abortAfter, type Clock } from '../../core/seams/clock.ts';

/** Rejects unless the server answers with a success. */
export type FetchText = (url: URL) => Promise<string>;

const FETCH_TIMEOUT_MS = 5_000;
/** SNS uses one certificate per region and replaces it every few months. */
const MAX_KEPT = 8;
/** Anyone can name certificates that do not exist, so at most one is fetched per second. */
const PACE_MS = 1_000;

export async function fetchText(clock: Pick<Clock, 'after'>, url: URL): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: abortAfter(clock, FETCH_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url.host} answered ${response.status}`);
  return response.text();
}

export function createCertificates(fetch: FetchText) {
  const kept = new Map<string, X509Certificate>();
  let nextFetchAt = 0;

  async function load(url: URL, now: number): Promise<X509Certificate | undefined> {
    if (now < nextFetchAt) return undefined;
    nextFetchAt = now + PACE_MS;
    try {
      const certificate = new X509Certificate(await fetch(url));
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(url.href, certificate);
      return certificate;
    } catch {
      return undefined;
    }
  }

  /** The public key of a valid certificate; undefined if none is available now. */
  return async (url: URL, now: number): Promise<KeyObject | undefined> => {
    const certificate = kept.get(url.href) ?? (await load(url, now));
    if (certificate === undefined) return undefined;
    const inForce = certificate.validFromDate.getTime() <= now && now <= certificate.validToDate.getTime();
    return inForce ? certificate.publicKey : undefined;
  };
}
