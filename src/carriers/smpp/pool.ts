/** The links of one carrier, and the messages that wait for room on them. */
import type { CarrierLog } from '../../core/carrier.ts';
import { LinkedList } from '../../core/linked-list.ts';
import type { ShortMessage } from './body.ts';
import { keepLink } from './keeper.ts';
import type { Deliver, Link } from './link.ts';
import type { SmppOptions } from './options.ts';
import type { Answer } from './outstanding.ts';

interface Waiter {
  readonly message: ShortMessage;
  readonly settle: (answer: Answer) => void;
}

/**
 * Messages wait here and not on a link, so that none is stuck behind a slow one. How many do is bounded by the
 * submits that delivery has under way, and how long by their signals.
 */
export class LinkPool {
  readonly #options: SmppOptions;
  readonly #ports: { readonly deliver: Deliver; readonly log: CarrierLog };
  readonly #stopping = new AbortController();
  readonly #waiting = new LinkedList<Waiter>();
  #keepers: Promise<void>[] = [];
  #bound: Link[] = [];
  #turn = 0;
  #pacer: NodeJS.Timeout | undefined;
  #trouble = 'connecting';

  constructor(options: SmppOptions, ports: { readonly deliver: Deliver; readonly log: CarrierLog }) {
    this.#options = options;
    this.#ports = ports;
  }

  start(): void {
    const { deliver, log } = this.#ports;
    this.#keepers = Array.from({ length: this.#options.links }, (_, index) =>
      keepLink(
        this.#options,
        {
          deliver,
          log: (level, message, fields) => log(level, message, { link: index + 1, ...fields }),
          up: (link) => this.#add(link),
          down: (reason, link) => this.#remove(reason, link),
        },
        this.#stopping.signal,
      ),
    );
  }

  /** How many links are bound, and what was the matter with the last that was not; undefined before `start`. */
  state(): { readonly bound: number; readonly trouble: string } | undefined {
    return this.#keepers.length > 0 ? { bound: this.#bound.length, trouble: this.#trouble } : undefined;
  }

  /** Sends one submit_sm over the next link with room. */
  submit(message: ShortMessage, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) return Promise.resolve(TOO_LATE);
    if (this.#bound.length === 0) return Promise.resolve(NO_LINK);
    return new Promise((resolve) => {
      const abort = () => {
        // The request itself stays in its link's window: the SMSC has not answered it.
        this.#waiting.remove(entry);
        resolve(TOO_LATE);
      };
      const settle = (answer: Answer) => {
        signal.removeEventListener('abort', abort);
        resolve(answer);
      };
      signal.addEventListener('abort', abort, { once: true });
      const entry = this.#waiting.add({ message, settle });
      this.#pump();
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#bound.map((link) => link.unbind()));
    await Promise.all(this.#keepers);
    clearTimeout(this.#pacer);
  }

  #add(link: Link): void {
    this.#bound.push(link);
    this.#pump();
  }

  #remove(reason: string, link: Link | undefined): void {
    this.#trouble = reason;
    this.#bound = this.#bound.filter((other) => other !== link);
    if (this.#bound.length > 0) return;
    for (let entry = this.#waiting.first; entry !== undefined; entry = this.#waiting.first) {
      this.#waiting.remove(entry);
      entry.item.settle(NO_LINK);
    }
  }

  #pump(): void {
    for (let entry = this.#waiting.first; entry !== undefined; entry = this.#waiting.first) {
      const link = this.#next();
      if (link === undefined) break;
      this.#waiting.remove(entry);
      const { message, settle } = entry.item;
      void link.submit(message).then((answer) => {
        settle(answer);
        this.#pump();
      });
    }
    this.#wakeWhenPaced();
  }

  /** The links take turns; one without room is passed over. */
  #next(): Link | undefined {
    const now = performance.now();
    const count = this.#bound.length;
    for (let step = 0; step < count; step += 1) {
      const turn = (this.#turn + step) % count;
      const link = this.#bound[turn];
      if (link?.wait(now) === 0) {
        this.#turn = turn + 1;
        return link;
      }
    }
    return undefined;
  }

  /** Answers wake the pump; where a link holds back by its pace alone, only a timer does. */
  #wakeWhenPaced(): void {
    if (this.#waiting.size === 0 || this.#pacer !== undefined) return;
    const now = performance.now();
    const wait = Math.min(...this.#bound.map((link) => link.wait(now)));
    if (wait === Number.POSITIVE_INFINITY) return;
    this.#pacer = setTimeout(() => {
      this.#pacer = undefined;
      this.#pump();
    }, Math.ceil(wait));
  }
}

const NO_LINK: Answer = { kind: 'none', reason: 'no bound link' };
const TOO_LATE: Answer = { kind: 'none', reason: 'deadline reached' };
