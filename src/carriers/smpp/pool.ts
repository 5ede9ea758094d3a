/** The links of one carrier, and the messages that wait for room on them. */
import type { Timer } from '../../core/seams/clock.ts';
import type { CarrierLink, Deadline } from '../../core/sending/carrier.ts';
import { LinkedList } from '../../core/sending/linked-list.ts';
import { type KeeperPorts, keepLink } from './keeper.ts';
import type { SmppLink } from './link.ts';
import type { LinkOptions } from './options.ts';
import type { SmscAnswer } from './outstanding.ts';
import type { BindRole, ShortMessage } from './protocol/body.ts';

interface Waiter {
  readonly message: ShortMessage;
  readonly deadline: Deadline;
  readonly settle: (answer: SmscAnswer) => void;
}

type PoolPorts = Omit<KeeperPorts, 'up' | 'down'>;

interface PoolState {
  readonly bound: number;
  readonly trouble: string;
  /** The link of its own for receipts. */
  readonly receiver: 'none' | 'bound' | { readonly trouble: string };
}

/** How long suspects wait after a link was bound, so that others go first: a suspect may cost the link again. */
const SUSPECTS_WAIT_MS = 250;

/**
 * Messages wait here and not on a link, so that none is stuck behind a slow one. Their number is limited by the submits
 * that delivery has under way, and the wait by their signals.
 */
export class LinkPool implements CarrierLink {
  readonly #options: LinkOptions;
  readonly #ports: PoolPorts;
  readonly #stopping = new AbortController();
  readonly #waiting = new LinkedList<Waiter>();
  /** Messages at which the SMSC may have dropped links. Each has the whole window of a link for itself. */
  readonly #suspects = new LinkedList<Waiter>();
  #suspectsGo = false;
  #suspectsWait: Timer | undefined;
  /** Takes no more messages until it is empty and has sent a suspect. */
  #emptying: SmppLink | undefined;
  #keepers: Promise<void>[] = [];
  #bound: SmppLink[] = [];
  #turn = 0;
  #pacer: Timer | undefined;
  #trouble = 'connecting';
  /** The link of its own for receipts, if there is one. It may be down while messages go on: the SMSC keeps their receipts. */
  #receiver: SmppLink | undefined;
  #receiverTrouble = 'connecting';
  #tell = () => {};

  constructor(options: LinkOptions, ports: PoolPorts) {
    this.#options = options;
    this.#ports = ports;
  }

  start(): void {
    const { bind, links } = this.#options;
    const sending = {
      up: (link: SmppLink) => this.#add(link),
      down: (reason: string, link?: SmppLink) => this.#remove(reason, link),
    };
    this.#keepers = Array.from({ length: links }, (_, index) =>
      this.#keep(bind === 'separate' ? 'transmitter' : bind, index + 1, sending),
    );
    if (bind !== 'separate') return;
    const receiving = {
      up: (link: SmppLink) => {
        this.#receiver = link;
      },
      down: (reason: string) => {
        this.#receiver = undefined;
        this.#receiverTrouble = reason;
      },
    };
    this.#keepers.push(this.#keep('receiver', 'receiver', receiving));
  }

  #keep(role: BindRole, name: number | 'receiver', changes: Pick<KeeperPorts, 'up' | 'down'>): Promise<void> {
    const { log } = this.#ports;
    const ports: KeeperPorts = {
      ...this.#ports,
      log: (level, message, fields) => log(level, message, { link: name, ...fields }),
      ...changes,
    };
    return keepLink(this.#options, role, ports, this.#stopping.signal);
  }

  /** Why the last link was lost or could not be bound; undefined while any link is bound. */
  get trouble(): string | undefined {
    return this.#bound.length > 0 ? undefined : this.#trouble;
  }

  watch(listener: () => void): void {
    this.#tell = listener;
  }

  /** How many links can send, and what was wrong with the last one that was not bound; undefined before `start`. */
  state(): PoolState | undefined {
    if (this.#keepers.length === 0) return undefined;
    const common = { bound: this.#bound.length, trouble: this.#trouble };
    if (this.#options.bind !== 'separate') return { ...common, receiver: 'none' };
    return { ...common, receiver: this.#receiver ? 'bound' : { trouble: this.#receiverTrouble } };
  }

  /**
   * Sends one submit_sm over the next link with room. A `suspect` goes after the others, over a link with nothing else
   * under way.
   */
  submit(message: ShortMessage, deadline: Deadline, suspect: boolean): Promise<SmscAnswer> {
    const { signal } = deadline;
    if (signal.aborted) return Promise.resolve(TOO_LATE);
    if (this.#bound.length === 0) return Promise.resolve(NO_LINK);
    return new Promise((resolve) => {
      const abort = () => {
        // A request that was sent stays in its link's window, because the SMSC has not answered it.
        list.remove(entry);
        resolve(TOO_LATE);
      };
      const settle = (answer: SmscAnswer) => {
        signal.removeEventListener('abort', abort);
        resolve(answer);
      };
      signal.addEventListener('abort', abort, { once: true });
      const list = suspect ? this.#suspects : this.#waiting;
      const entry = list.add({ message, deadline, settle });
      this.#pump();
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#bound, this.#receiver].map((link) => link?.unbind()));
    await Promise.all(this.#keepers);
    this.#pacer?.[Symbol.dispose]();
  }

  #add(link: SmppLink): void {
    this.#bound.push(link);
    if (this.#bound.length === 1) {
      this.#suspectsWait = this.#ports.clock.after(SUSPECTS_WAIT_MS, () => {
        this.#suspectsGo = true;
        this.#pump();
      });
      this.#tell();
    }
    this.#pump();
  }

  #remove(reason: string, link: SmppLink | undefined): void {
    this.#trouble = reason;
    this.#bound = this.#bound.filter((other) => other !== link);
    if (this.#emptying === link) this.#emptying = undefined;
    if (this.#bound.length > 0) return;
    this.#suspectsWait?.[Symbol.dispose]();
    this.#suspectsGo = false;
    for (const list of [this.#waiting, this.#suspects]) {
      for (let entry = list.first; entry !== undefined; entry = list.first) {
        list.remove(entry);
        entry.item.settle(NO_LINK);
      }
    }
    if (!this.#stopping.signal.aborted) this.#tell();
  }

  #pump(): void {
    this.#sendAll(this.#waiting, false);
    if (this.#suspectsGo) {
      this.#sendAll(this.#suspects, true);
      this.#makeRoomForSuspects();
    }
    this.#wakeWhenPaced();
  }

  #sendAll(list: LinkedList<Waiter>, alone: boolean): void {
    for (let entry = list.first; entry !== undefined; entry = list.first) {
      const { message, deadline, settle } = entry.item;
      if (deadline.wanted === false) {
        list.remove(entry);
        settle(UNWANTED);
        continue;
      }
      const link = this.#next(alone);
      if (link === undefined) return;
      list.remove(entry);
      void link.submit(message, alone).then((answer) => {
        if (alone && this.#emptying === link) this.#emptying = undefined;
        settle(answer);
        this.#pump();
      });
    }
  }

  /** The links take turns. Those without room are skipped. */
  #next(alone: boolean): SmppLink | undefined {
    const now = this.#ports.clock.steady();
    const count = this.#bound.length;
    for (let step = 0; step < count; step += 1) {
      const turn = (this.#turn + step) % count;
      const link = this.#bound[turn];
      if (link?.wait(now, alone) === 0 && (alone || link !== this.#emptying)) {
        this.#turn = turn + 1;
        return link;
      }
    }
    return undefined;
  }

  /** Under steady load no link would ever become empty by itself. */
  #makeRoomForSuspects(): void {
    if (this.#suspects.size === 0) this.#emptying = undefined;
    else this.#emptying ??= this.#bound.toSorted((a, b) => a.submitting - b.submitting)[0];
  }

  /** Answers wake the pump. If a link is held back only by its pace, a timer has to. */
  #wakeWhenPaced(): void {
    if (this.#pacer !== undefined || this.#waiting.size + this.#suspects.size === 0) return;
    const now = this.#ports.clock.steady();
    const wait = Math.min(...this.#bound.map((link) => this.#waitFor(link, now)));
    if (wait === Number.POSITIVE_INFINITY) return;
    this.#pacer = this.#ports.clock.after(Math.ceil(wait), () => {
      this.#pacer = undefined;
      this.#pump();
    });
  }

  /** Ms until the link takes one of the waiting messages. */
  #waitFor(link: SmppLink, now: number): number {
    const regular = this.#waiting.size > 0 && link !== this.#emptying;
    const suspect = this.#suspects.size > 0 && this.#suspectsGo;
    return Math.min(
      regular ? link.wait(now, false) : Number.POSITIVE_INFINITY,
      suspect ? link.wait(now, true) : Number.POSITIVE_INFINITY,
    );
  }
}

const NO_LINK: SmscAnswer = { kind: 'unsent', reason: 'no bound link' };
const TOO_LATE: SmscAnswer = { kind: 'none', reason: 'deadline reached' };
const UNWANTED: SmscAnswer = { kind: 'unwanted' };
