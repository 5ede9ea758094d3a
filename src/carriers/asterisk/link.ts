/** The link to Asterisk's events: one connection under its own name, kept open, and the calls that depend on it. */
import { type Clock, sleep, type Timer } from '../../core/seams/clock.ts';
import type { Random } from '../../core/seams/random.ts';
import type { CarrierLink, Log } from '../../core/sending/carrier.ts';
import { eventText, readEvent } from './event.ts';
import { CallLine } from './line.ts';
import { authorize, type Credentials, type Rest } from './rest.ts';

/** A second connection under the same name would take over the events, so each process has its own name. */
const PREFIX = 'countersign';
const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 5_000;
const TIMING = {
  /** How long calls wait for a broken link. Meanwhile Asterisk continues them. */
  graceMs: 5_000,
  beatMs: 10_000,
};
/** Calls to hang up once Asterisk can be reached. Eventually it ends them itself. */
const MAX_ORPHANS = 10_000;

export interface LinkPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The link has come up: what was known about this Asterisk may be out of date. */
  readonly onUp: () => void;
}

export class AriLink implements CarrierLink {
  /** The name under which Asterisk knows this process. */
  readonly app: string;
  readonly #credentials: Credentials;
  readonly #rest: Rest;
  readonly #ports: LinkPorts;
  readonly #lines = new Map<string, CallLine>();
  readonly #orphans = new Set<string>();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #calls = 0;
  /** Undefined while the link is up. */
  #trouble: string | undefined = 'connecting';
  #tell = () => {};
  #grace: Timer | undefined;
  readonly #timing: typeof TIMING;

  constructor(credentials: Credentials, rest: Rest, ports: LinkPorts, timing = TIMING) {
    this.app = `${PREFIX}-${ports.random.bytes(8).toString('hex')}`;
    this.#credentials = credentials;
    this.#rest = rest;
    this.#ports = ports;
    this.#timing = timing;
  }

  get isUp(): boolean {
    return this.#trouble === undefined;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  watch(listener: () => void): void {
    this.#tell = listener;
  }

  start(): void {
    this.#running = this.#keep(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#grace?.[Symbol.dispose]();
  }

  /** A new channel's id, and the line that delivers its events. */
  open(): { readonly channel: string; readonly line: CallLine } {
    this.#calls += 1;
    const channel = `${this.app}-${this.#calls}`;
    const line = new CallLine(this.#ports.clock);
    this.#lines.set(channel, line);
    return { channel, line };
  }

  /** Hangs up, now or as soon as Asterisk can be reached, and stops listening. */
  async close(channel: string): Promise<void> {
    this.#lines.delete(channel);
    await this.#hangUp(channel);
  }

  async #hangUp(channel: string): Promise<void> {
    const reply = await this.#rest('DELETE', `/channels/${channel}`);
    if (reply.kind === 'answered') this.#orphans.delete(channel);
    else if (this.#orphans.size < MAX_ORPHANS) this.#orphans.add(channel);
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#ports;
    let failures = 0;
    while (!signal.aborted) {
      const reason = await this.#hold(signal, () => {
        failures = 0;
        this.#rise();
      });
      this.#sink(reason ?? 'closed');
      if (signal.aborted) return;
      const longest = Math.min(RECONNECT_MAX_MS, RECONNECT_MIN_MS * 2 ** failures);
      const retryMs = Math.round(longest * (0.5 + random.fraction() / 2));
      failures += 1;
      this.#trouble = reason ?? (await this.#inquire());
      log('warn', 'the link to Asterisk is down', { reason: this.#trouble });
      this.#tell();
      await sleep(clock, retryMs, signal).catch(() => undefined);
    }
  }

  /** One connection from its opening to its end. Resolves with the reason why it ended, if known. */
  #hold(signal: AbortSignal, onOpen: () => void): Promise<string | undefined> {
    const { url } = this.#credentials;
    const address = `${url.replace(/^http/, 'ws').replace(/\/$/, '')}/ari/events?app=${this.app}`;
    return new Promise((resolve) => {
      const socket = new WebSocket(address, { headers: authorize(this.#credentials) });
      let heard = true;
      const beat = this.#ports.clock.every(this.#timing.beatMs, () => {
        if (!heard) return finish('silent');
        heard = false;
        void this.#beat().then((known) => known || finish('Asterisk forgot the connection'));
      });
      const finish = (reason?: string) => {
        beat[Symbol.dispose]();
        signal.removeEventListener('abort', stop);
        // A connection that is given up may still be half alive. Its events are ignored.
        socket.onopen = socket.onmessage = socket.onclose = null;
        socket.close();
        resolve(reason);
      };
      const stop = () => finish();
      signal.addEventListener('abort', stop, { once: true });
      socket.onopen = onOpen;
      socket.onmessage = ({ data }) => {
        heard = true;
        this.#dispatch(data);
      };
      socket.onclose = ({ code }) => finish(code === 1006 ? undefined : `closed with ${code}`);
    });
  }

  /**
   * Sends an event to ourselves: the only proof that the link works both ways. Without it a vanished peer would go
   * unnoticed until TCP gives up, which an idle connection never does.
   */
  async #beat(): Promise<boolean> {
    const reply = await this.#rest('POST', '/events/user/beat', { application: this.app });
    return reply.kind === 'failed' || reply.status !== 404;
  }

  #dispatch(data: unknown): void {
    const read = readEvent(data);
    if (read === undefined) return;
    const { channel, event } = read;
    const line = this.#lines.get(channel);
    if (line !== undefined) line.push(event);
    // The call was given up before Asterisk was told, and now somebody has answered.
    else if (event.kind === 'answered') void this.#hangUp(channel);
  }

  #rise(): void {
    this.#trouble = undefined;
    this.#grace?.[Symbol.dispose]();
    this.#ports.log('info', 'the link to Asterisk is up');
    this.#ports.onUp();
    this.#tell();
    for (const channel of this.#orphans) void this.#hangUp(channel);
    for (const [channel, line] of this.#lines) void this.#resume(channel, line);
  }

  #sink(trouble: string): void {
    if (!this.isUp) return;
    this.#trouble = trouble;
    this.#grace = this.#ports.clock.after(this.#timing.graceMs, () => {
      for (const line of this.#lines.values())
        line.push({ kind: 'lost', reason: 'the link to Asterisk broke' });
    });
  }

  /** Asterisk keeps a channel after its application has left, unless Asterisk itself has died since. */
  async #resume(channel: string, line: CallLine): Promise<void> {
    const reply = await this.#rest('GET', `/channels/${channel}`);
    if (reply.kind === 'failed') return;
    const state = eventText(reply.body, 'state');
    if (state !== undefined) line.push({ kind: 'resumed', state });
    else line.push({ kind: 'lost', reason: 'the call was gone when the link came back' });
  }

  /** A WebSocket does not say why it did not open. The REST API of the same server does. */
  async #inquire(): Promise<string> {
    const reply = await this.#rest('GET', '/asterisk/ping');
    if (reply.kind === 'failed') return reply.reason;
    return reply.status === 401 ? 'user or password refused' : `closed; ARI answers ${reply.status}`;
  }
}
