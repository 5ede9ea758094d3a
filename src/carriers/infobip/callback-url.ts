/**
 * Infobip signs nothing that it calls back for a single message, so each message is given an address of its own: our id
 * of it, and a MAC of it under the API key. Who could read one has the fate of one message in hand, and no other.
 */
import { createHmac } from 'node:crypto';
import { areEqual } from '../../core/secrets/constant-time.ts';

export function createCallbackUrls(callbackUrl: string, apiKey: string) {
  const mac = (id: string) =>
    createHmac('sha256', apiKey).update(`receipt of ${id} at ${callbackUrl}`).digest('base64url');
  return {
    urlOf: (id: string) => `${callbackUrl}?id=${id}&token=${mac(id)}`,
    /** The message that an address is about; undefined when we did not give it out. */
    idOf(url: string): string | undefined {
      const params = new URL(url).searchParams;
      const id = params.get('id');
      return id !== null && areEqual(params.get('token') ?? '', mac(id)) ? id : undefined;
    },
  };
}

export type CallbackUrls = ReturnType<typeof createCallbackUrls>;
