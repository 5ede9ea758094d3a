/** Reads the body of a callback. Nobody knows who sent it until all of it has been read, so few large ones are read at once. */
import type { IncomingMessage } from 'node:http';
import { errorCodes } from 'fastify';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';

/** What a callback of any carrier may have. Some carriers put many receipts into one request. */
export const USUAL_BYTES = 256 * 1024;
/** Some 12 MB in all. Carriers that need them are few, and send again what they got 503 for. */
const MOST_LARGE = 4;

interface BodyPorts {
  /** The most bytes that a carrier of that name may send. */
  largest(carrier: string): number;
  refused(carrier: string, why: string): void;
}

export function createBodyReader({ largest, refused }: BodyPorts) {
  let large = 0;

  return async (name: string, body: IncomingMessage): Promise<Buffer> => {
    let hasPlace = false;

    /** Whether so many bytes may be read. A large body takes its place as soon as it is known to be one. */
    function admit(bytes: number): void {
      if (bytes > largest(name)) {
        refused(name, 'it is larger than those of this carrier may be');
        throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
      }
      if (bytes <= USUAL_BYTES || hasPlace) return;
      if (large >= MOST_LARGE) {
        refused(name, 'too many large ones come at once');
        throw new StoreUnavailable('too many large callbacks at once');
      }
      hasPlace = true;
      large += 1;
    }

    try {
      admit(Number(body.headers['content-length'] ?? 0));
      const chunks: Buffer[] = [];
      let size = 0;
      // Whoever is refused still gets an answer, for which the socket must stay.
      for await (const chunk of body.iterator({ destroyOnReturn: false })) {
        size += chunk.length;
        admit(size);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks, size);
    } finally {
      if (hasPlace) large -= 1;
    }
  };
}
