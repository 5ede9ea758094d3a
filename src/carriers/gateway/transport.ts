/** HTTP to one gateway: whether it may have read a request, and when one is repeated. */
import { abortAfter, type Clock } from '../../core/seams/clock.ts';
import type { Deadline } from '../../core/sending/carrier.ts';
import type { ExchangeFailure, HttpAnswer, Request } from '../../outgoing/connection.ts';
import { Connections } from '../../outgoing/connections.ts';
import { socketErrorCode } from '../../outgoing/dial.ts';

export interface GatewayRequest extends Request {
  /** Our own id for the message, if its receipt comes under that. It is not sent as such. */
  readonly reference?: string | undefined;
}

export type GatewayAnswer = Pick<HttpAnswer, 'status' | 'headers' | 'body'>;

/**
 * A whole answer, or why there was none. The reason never contains anything of the request. `unclear`: the gateway may
 * have read the request.
 */
type Exchange =
  | { readonly kind: 'answered'; readonly answer: GatewayAnswer }
  | { readonly kind: 'failed'; readonly reason: string; readonly unclear: boolean };

export interface CarrierTransport {
  /**
   * Nothing leaves after the signal; `unsent` becomes false when the request leaves. A request that a gateway closed its connection on is
   * sent again, once, unless `mayRepeat` is false or it is not wanted any more.
   */
  send(request: GatewayRequest, deadline: Deadline, mayRepeat?: boolean): Promise<Exchange>;
  /** Connects, completes the TLS handshake and disconnects. Rejects with a reason that may be shown. */
  probe(timeoutMs: number): Promise<void>;
  close(): void;
}

export function createTransport(
  clock: Pick<Clock, 'after'>,
  origin: URL,
  options: { connections: number; ca?: string | undefined },
): CarrierTransport {
  const connections = new Connections(origin, options);

  return {
    async send(request, deadline, mayRepeat = true) {
      const { signal } = deadline;
      for (let isRepeated = false; ; ) {
        const connection = await connections.take(signal);
        if (connection.kind === 'connected') deadline.unsent = false;
        const exchange =
          connection.kind === 'failed' ? connection : await connection.exchange(request, signal);
        if (exchange.kind === 'answered') {
          const { status, headers, body } = exchange;
          return { kind: 'answered', answer: { status, headers, body } };
        }
        const unclear = isRepeated || exchange.stage !== 'unsent';
        if (signal.aborted) return { kind: 'failed', reason: 'timed out', unclear };
        // The next one, then. There are only so many.
        if (exchange.lost && exchange.stage === 'unsent') continue;
        if (isRepeated || !isUnseen(exchange) || !mayRepeat || deadline.wanted === false)
          return { kind: 'failed', reason: reasonOf(exchange), unclear };
        isRepeated = true;
      }
    },
    async probe(timeoutMs) {
      try {
        await connections.probe(abortAfter(clock, timeoutMs));
      } catch (error) {
        const code = socketErrorCode(error);
        const { host, protocol, port } = origin;
        const name = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
        throw new Error(`${name}: ${code === 'ABORT_ERR' ? 'timed out' : code}`);
      }
    },
    close: () => connections.close(),
  };
}

/**
 * The gateway closed an idle connection just as we took it. It did not see the request, or at worst sends the same code twice, as a
 * restart of ours may do too.
 */
function isUnseen({ lost, wasIdle, stage, code }: ExchangeFailure): boolean {
  return lost && wasIdle && stage === 'sent' && (code === 'ECONNRESET' || code === 'EPIPE');
}

function reasonOf({ stage, code }: ExchangeFailure): string {
  return stage === 'answering'
    ? 'connection closed in the middle of the answer'
    : `connection failed: ${code}`;
}
