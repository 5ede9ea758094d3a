/** HMAC-SHA-256 by WebCrypto, and base64 without Node's Buffer. */

export type Bytes = Uint8Array<ArrayBuffer>;

export function hmacKey(secret: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/** Undefined if it is none. */
export function decodeBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export function encodeBase64(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes));
}
