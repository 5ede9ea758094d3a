/** The requests of one link that the SMSC has not answered yet. */
import { COMMAND, nextSequence, type Pdu, responseTo } from './pdu.ts';
import { STATUS } from './status.ts';

/** How a request ended. After `none` it is unknown whether the SMSC took it. */
export type Answer =
  | { readonly kind: 'response'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'none'; readonly reason: string };

interface Request {
  readonly command: number;
  readonly sentAt: number;
  readonly deadline: number;
  readonly settle: (answer: Answer) => void;
}

export class Outstanding {
  /** In the order of sending, which is that of the deadlines: bind, the only one with its own, has no company. */
  readonly #requests = new Map<number, Request>();
  #sequence = 0;

  /** Registers a request sent `now` that may take `timeout` ms. */
  open(
    command: number,
    now: number,
    timeout: number,
  ): { readonly sequence: number; readonly answer: Promise<Answer> } {
    this.#sequence = nextSequence(this.#sequence);
    const { promise: answer, resolve: settle } = Promise.withResolvers<Answer>();
    this.#requests.set(this.#sequence, { command, sentAt: now, deadline: now + timeout, settle });
    return { sequence: this.#sequence, answer };
  }

  /** Settles the request that `pdu` answers. Late, repeated and foreign responses answer none. */
  answer({ command, status, sequence, body }: Pdu): void {
    const request = this.#requests.get(sequence);
    if (request === undefined) return;
    if (command === COMMAND.genericNack) {
      // A generic_nack that says OK contradicts itself; it must never pass for an acceptance.
      request.settle({ kind: 'response', status: status || STATUS.unknownError, body });
    } else if (command === responseTo(request.command)) {
      request.settle({ kind: 'response', status, body });
    } else {
      return;
    }
    this.#requests.delete(sequence);
  }

  /** Gives up the requests whose time is over, and tells which. */
  expire(now: number): Pick<Request, 'command' | 'sentAt'>[] {
    const expired: Request[] = [];
    for (const [sequence, request] of this.#requests) {
      if (request.deadline > now) break;
      this.#requests.delete(sequence);
      request.settle({ kind: 'none', reason: 'no answer in time' });
      expired.push(request);
    }
    return expired;
  }

  /** Gives up all requests, as their link is gone. */
  abandon(reason: string): void {
    for (const { settle } of this.#requests.values()) settle({ kind: 'none', reason });
    this.#requests.clear();
  }
}
