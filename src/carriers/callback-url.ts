/**
 * For gateways that do not sign callbacks: each message gets an address of its own, with our id and a MAC of it under a
 * key. Someone who reads one address can forge the receipt of one message, and no other.
 */
import { createHmac } from 'node:crypto';
import { areEqual } from '../core/secrets/constant-time.ts';

export function createCallbackUrls(callbackUrl: string, key: string) {
  const mac = (id: string) =>
    createHmac('sha256', key).update(`receipt of ${id} at ${callbackUrl}`).digest('base64url');
  return {
    urlOf: (id: string) => `${callbackUrl}?id=${id}&token=${mac(id)}`,
    /** The message that an address belongs to; undefined if we did not make the address. */
    idOf(url: string): string | undefined {
      const params = new URL(url).searchParams;
      const id = params.get('id');
      return id !== null && areEqual(params.get('token') ?? '', mac(id)) ? id : undefined;
    },
  };
}

export type CallbackUrls = ReturnType<typeof createCallbackUrls>;
