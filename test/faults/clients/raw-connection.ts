/** HTTP/1.1 over TLS, byte by byte: what a well-behaved client library would refuse to send. */
import tls from 'node:tls';

/** Longer than any timeout of the service: a request without an answer by then hangs. */
export const HANG_MS = 30_000;

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** How an exchange ended: with all answers, or with the connection closed after some of them. */
export interface Exchange {
  readonly answers: readonly RawAnswer[];
  readonly open: boolean;
}

export interface RawConnection {
  /**
   * Sends bytes, which may be several requests, and reads that many answers. Rejects if neither the answers nor the end
   * come.
   */
  exchange(bytes: Buffer, expected: number): Promise<Exchange>;
  close(): void;
}

const MOST_HANDSHAKES = 20;

/** A machine that tests share may hold a handshake up past the service's patience; then it is made again. */
export async function connectTls(options: tls.ConnectionOptions): Promise<tls.TLSSocket> {
  for (let times = 0; times < MOST_HANDSHAKES; times++) {
    const socket = tls.connect(options);
    // An abrupt end is an end too. The test decides whether it was expected.
    socket.on('error', () => {});
    const isMade = await new Promise<boolean>((resolve) => {
      socket.once('secureConnect', () => resolve(true)).once('close', () => resolve(false));
    });
    if (isMade) return socket;
  }
  throw new Error(`${MOST_HANDSHAKES} handshakes were cut off`);
}

/** All connections share `secureContext`: reading the certificate for each takes longer than a request. */
export async function connectRaw(port: number, secureContext: tls.SecureContext): Promise<RawConnection> {
  const socket = await connectTls({ host: 'localhost', port, secureContext });
  let pending: Buffer = Buffer.alloc(0);
  let wake = () => {};
  /** The service has announced that it will end the connection. */
  let closing = false;
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    wake();
  });
  socket.on('close', () => wake());

  const take = (): RawAnswer | undefined => {
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const head = pending.toString('latin1', 0, headEnd);
    const end = headEnd + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    if (pending.length < end) return undefined;
    closing ||= /^connection: *close/im.test(head);
    const text = pending.toString('utf8', headEnd + 4, end);
    pending = pending.subarray(end);
    return { status: Number(head.slice(9, 12)), text };
  };

  async function exchange(bytes: Buffer, expected: number): Promise<Exchange> {
    const answers: RawAnswer[] = [];
    if (!socket.destroyed) socket.write(bytes);
    let hung = false;
    const deadline = setTimeout(() => {
      hung = true;
      socket.destroy();
    }, HANG_MS);
    while (answers.length < expected) {
      const answer = take();
      if (answer !== undefined) {
        // 100 Continue is not the answer.
        if (answer.status >= 200) answers.push(answer);
      } else if (socket.destroyed || closing) {
        break;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    clearTimeout(deadline);
    if (hung) throw new Error(`no answer and no end within ${HANG_MS} ms`);
    return { answers, open: !closing && !socket.destroyed };
  }

  return { exchange, close: () => socket.destroy() };
}
