/** The requests of one link that the SMSC has not answered yet. */
import { COMMAND, distance, nextSequence, type Pdu, responseTo } from './protocol/pdu.ts';
import { STATUS } from './protocol/status.ts';

/**
 * How a request ended.
 * - `none`: not answered in time. Whether the SMSC took it is unknown.
 * - `lost`: the connection ended before the answer. Whether the SMSC took it is unknown. `dropped`: the SMSC ended the
 *   connection.
 * - `unbound`: the SMSC answered that the session is not bound (ESME_RINVBNDSTS), and took nothing. `worked`: on the same link
 *   it had answered others before.
 * - `unsent`: there was no connection to send it over.
 * - `unwanted`: before its turn came, the message was taken from this process.
 */
export type SmscAnswer =
  | { readonly kind: 'response'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'lost'; readonly reason: string; readonly dropped: boolean }
  | { readonly kind: 'unbound'; readonly reason: string; readonly worked: boolean }
  | { readonly kind: 'none' | 'unsent'; readonly reason: string }
  | { readonly kind: 'unwanted' };

interface Request {
  readonly sequence: number;
  readonly command: number;
  readonly sentAt: number;
  readonly deadline: number;
  readonly settle: (answer: SmscAnswer) => void;
}

export class Outstanding {
  /**
   * In the order of sending, which is also that of the sequence numbers and deadlines: bind, the only request with a
   * different timeout, is always alone. The last one is the one before `#next`. An answered request leaves a gap until
   * all before it are gone. Not a Map, for the reason given in LinkedList.
   */
  readonly #requests: (Request | undefined)[] = [];
  #next = nextSequence(0);

  /** Registers a request sent `now` that may take `timeout` ms. */
  open(
    command: number,
    now: number,
    timeout: number,
  ): { readonly sequence: number; readonly answer: Promise<SmscAnswer> } {
    const sequence = this.#next;
    this.#next = nextSequence(sequence);
    const { promise: answer, resolve: settle } = Promise.withResolvers<SmscAnswer>();
    this.#requests.push({ sequence, command, sentAt: now, deadline: now + timeout, settle });
    return { sequence, answer };
  }

  /** Settles the request that `pdu` answers, and returns its command. Late, repeated and unknown responses settle nothing. */
  answer({ command, status, sequence, body }: Pdu): number | undefined {
    const place = this.#requests.length - distance(sequence, this.#next);
    const request = this.#requests[place];
    // The distance wraps around: an invalid number, such as 0, may lead to another request.
    if (request?.sequence !== sequence) return undefined;
    if (command === COMMAND.genericNack) {
      // A generic_nack that says OK contradicts itself. It must never count as an acceptance.
      request.settle({ kind: 'response', status: status || STATUS.unknownError, body });
    } else if (command === responseTo(request.command)) {
      request.settle({ kind: 'response', status, body });
    } else {
      return undefined;
    }
    this.#requests[place] = undefined;
    if (place === 0) this.#closeGap();
    return request.command;
  }

  /** Gives up the requests whose time is over, and returns them. */
  expire(now: number): Pick<Request, 'command' | 'sentAt'>[] {
    const expired: Request[] = [];
    for (const [place, request] of this.#requests.entries()) {
      if (request === undefined) continue;
      if (request.deadline > now) break;
      this.#requests[place] = undefined;
      request.settle({ kind: 'none', reason: 'no answer in time' });
      expired.push(request);
    }
    this.#closeGap();
    return expired;
  }

  /** Gives up all requests because their link is gone. */
  abandon(reason: string, dropped: boolean): void {
    for (const request of this.#requests.splice(0)) request?.settle({ kind: 'lost', reason, dropped });
  }

  #closeGap(): void {
    const oldest = this.#requests.findIndex((request) => request !== undefined);
    this.#requests.splice(0, oldest < 0 ? this.#requests.length : oldest);
  }
}
