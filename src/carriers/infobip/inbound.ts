/**
 * What people send back, as a subscription of the account forwards it (MO_JSON_2, and the one of RCS). Infobip signs nothing that we could check in
 * the documents we know, but its notification profiles send a password.
 */
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Callback, CallbackAnswer } from '../../core/sending/carrier.ts';
import { heardAll } from '../gateway/inbound.ts';
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { header } from '../gateway/signature.ts';

export function createInboundReader(carrier: string, password: string) {
  return {
    isForwarded(callback: Callback): boolean {
      const given = passwordOf(callback);
      return given !== undefined && areEqual(given, password);
    },

    read(callback: Callback): CallbackAnswer {
      const body = parseAnswer(callback.body.toString());
      const results: unknown =
        typeof body === 'object' && body !== null ? Reflect.get(body, 'results') : undefined;
      if (!Array.isArray(results)) return { kind: 'malformed', detail: 'needs a list of results' };
      return heardAll(
        carrier,
        results.map((each: unknown) => ({
          from: textAt(each, 'from') ?? textAt(each, 'sender') ?? '',
          // Without the keyword that the number is configured for, unless there is nothing else.
          text: textAt(each, 'cleanText') || textAt(each, 'text') || textAt(each, 'message.text') || '',
        })),
      );
    },
  };
}

export type InboundReader = ReturnType<typeof createInboundReader>;

/** Of Basic authentication (RFC 7617). The user may be anyone. */
function passwordOf(callback: Callback): string | undefined {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header(callback, 'authorization') ?? '') ?? [];
  return /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1];
}
