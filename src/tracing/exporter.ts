/**
 * Sends spans to the collector, in batches, one after the other. Nothing waits for it: what does not fit into its queue, or
 * cannot be sent, is dropped and counted.
 */

import { type CarrierTransport, createTransport } from '../carriers/gateway/transport.ts';
import { abortAfter, type Clock, sleep, type Timer } from '../core/seams/clock.ts';
import type { Random } from '../core/seams/random.ts';
import { readRetryAfter } from '../outgoing/retry-after.ts';
import type { Span } from './span.ts';

/** How spans are gathered and sent: as the standard has it by default, unless a test has less time. */
export interface ExporterPace {
  /** How many spans may wait; others are dropped. */
  readonly queueSize?: number;
  /** How many are sent at once. */
  readonly batchSize?: number;
  /** How long spans are collected for a batch. */
  readonly delayMs?: number;
  /** For one request to the collector. */
  readonly timeoutMs?: number;
}

export interface ExporterOptions extends ExporterPace {
  readonly clock: Clock;
  readonly random: Random;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly encode: (spans: readonly Span[]) => string;
  /** Hears what became of spans, and why; `why` never holds an address or a header. */
  readonly note: (result: 'exported' | 'dropped', count: number, why?: string) => void;
  /** How long the end of the service may wait for the rest, in ms. */
  readonly closeMs?: number;
  /** Between the first and the second try of a batch, in ms; doubled for each further one. */
  readonly backoffMs?: number;
}

const QUEUE_SIZE = 2_048;
const BATCH_SIZE = 512;
const DELAY_MS = 5_000;
const TIMEOUT_MS = 10_000;
const CLOSE_MS = 2_000;
const BACKOFF_MS = 1_000;
const MOST_TRIES = 5;
const LONGEST_WAIT_MS = 30_000;
/** What OTLP says may be sent again. */
const AGAIN = new Set([429, 502, 503, 504]);

type Answer =
  | { readonly kind: 'taken'; readonly rejected: number }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'again'; readonly why: string; readonly waitMs?: number | undefined };

export class Exporter {
  readonly #options: ExporterOptions;
  #queue: Span[] = [];
  #timer: Timer | undefined;
  #sending: Promise<void> | undefined;
  readonly #ending = new AbortController();
  readonly #transport: CarrierTransport;
  readonly #path: string;

  constructor(options: ExporterOptions) {
    const url = new URL(options.url);
    this.#options = options;
    this.#path = url.pathname;
    // One batch at a time.
    this.#transport = createTransport(options.clock, url, { connections: 1 });
  }

  add(span: Span): void {
    const { queueSize = QUEUE_SIZE, batchSize = BATCH_SIZE, note } = this.#options;
    if (this.#queue.length >= queueSize || this.#ending.signal.aborted) {
      note('dropped', 1, 'their queue is full');
      return;
    }
    this.#queue.push(span);
    if (this.#queue.length >= batchSize) this.#send();
    else this.#sendLater();
  }

  /** Sends the rest, within a bound. */
  async close(): Promise<void> {
    const { clock, closeMs = CLOSE_MS } = this.#options;
    const bound = clock.after(closeMs, () => this.#ending.abort());
    while (this.#queue.length > 0) {
      this.#send();
      await this.#sending;
    }
    await this.#sending;
    bound[Symbol.dispose]();
    this.#ending.abort();
    this.#transport.close();
  }

  #send(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#queue.length > 0) this.#sendLater();
    });
  }

  #sendLater(): void {
    const { clock, delayMs = DELAY_MS } = this.#options;
    this.#timer ??= clock.after(delayMs, () => this.#send()).unref();
  }

  /** What was there when it began, in batches. */
  async #sendAll(): Promise<void> {
    const { batchSize = BATCH_SIZE } = this.#options;
    do await this.#sendBatch(this.#queue.splice(0, batchSize));
    while (this.#queue.length >= batchSize);
  }

  async #sendBatch(spans: readonly Span[]): Promise<void> {
    const { random, encode, note, backoffMs = BACKOFF_MS } = this.#options;
    const body = encode(spans);
    for (let tried = 1; ; tried++) {
      const answer = await this.#post(body, spans.length);
      if (answer.kind === 'taken') {
        note('exported', spans.length - answer.rejected);
        if (answer.rejected > 0) note('dropped', answer.rejected, 'the collector rejected them');
        return;
      }
      const waitMs =
        answer.kind === 'again' &&
        (answer.waitMs ?? backoffMs * 2 ** (tried - 1) * (0.5 + random.fraction()));
      if (
        waitMs === false ||
        tried >= MOST_TRIES ||
        waitMs > LONGEST_WAIT_MS ||
        !(await this.#wait(waitMs))
      ) {
        note('dropped', spans.length, answer.why);
        return;
      }
    }
  }

  /** False if the service ends meanwhile. */
  async #wait(ms: number): Promise<boolean> {
    return sleep(this.#options.clock, ms, this.#ending.signal).then(
      () => true,
      () => false,
    );
  }

  async #post(body: string, most: number): Promise<Answer> {
    const { clock, headers, timeoutMs = TIMEOUT_MS } = this.#options;
    const request = {
      method: 'POST',
      path: this.#path,
      headers: { 'user-agent': 'countersign', ...headers, 'content-type': 'application/json' },
      body,
    };
    const signal = AbortSignal.any([abortAfter(clock, timeoutMs), this.#ending.signal]);
    const exchange = await this.#transport.send(request, { signal });
    if (exchange.kind === 'failed') return { kind: 'again', why: `the collector: ${exchange.reason}` };
    const { status, headers: said, body: text } = exchange.answer;
    if (status >= 200 && status < 300) return { kind: 'taken', rejected: rejectedOf(text, most) };
    const why = `the collector answers ${status}`;
    if (!AGAIN.has(status)) return { kind: 'refused', why };
    return { kind: 'again', why, waitMs: readRetryAfter(said['retry-after'], clock.wall()) };
  }
}

/** How many spans a collector did not take of a batch that it took. */
function rejectedOf(text: string | undefined, most: number): number {
  if (text === undefined || text === '') return 0;
  try {
    const rejected = Number(JSON.parse(text)?.partialSuccess?.rejectedSpans ?? 0);
    return rejected > 0 ? Math.min(rejected, most) : 0;
  } catch {
    return 0;
  }
}
