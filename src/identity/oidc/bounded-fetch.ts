/** Requests to a provider, which may be slow, silent or endless. */
import { abortAfter, type Clock } from '../../core/seams/clock.ts';

const TIMEOUT_MS = 10_000;
/** Discovery documents and key sets have some 10 KB at most. */
const MAX_BYTES = 256 * 1024;

/** No complete answer came. */
export class Unreachable extends Error {
  /** Such as ECONNREFUSED. */
  readonly code: string;

  constructor(code: string) {
    super(`no answer: ${code}`);
    this.code = code;
  }
}

/** `fetch` that follows no redirects and rejects with `Unreachable` after ten seconds or 256 KiB. */
export async function fetchBounded(
  clock: Pick<Clock, 'after'>,
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: URLSearchParams | undefined;
  },
): Promise<Response> {
  const { method, headers, body = null } = init;
  try {
    const signal = abortAfter(clock, TIMEOUT_MS);
    const answer = await fetch(url, { method, headers, body, redirect: 'manual', signal });
    const { status, headers: answered } = answer;
    const bytes = await readBounded(answer);
    return new Response(bytes.length === 0 ? null : bytes, { status, headers: answered });
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable(codeOf(error));
  }
}

async function readBounded({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Unreachable('TOO_LARGE');
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

/** The system's code, if any: `fetch` wraps it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error.name === 'TimeoutError' ? 'TIMEOUT' : error.name;
}
