/** A look-up: a provider with what bounds it. One that is away is not waited for again and again, and nothing is asked twice. */
import { type CarrierTransport, createTransport } from '../carriers/gateway/transport.ts';
import type { NumberFacts } from '../core/lookups/facts.ts';
import type { LookupPermit, NumberAnswer, NumberLookup, NumberQuestion } from '../core/lookups/lookup.ts';
import type { LookupTold } from '../core/lookups/lookup-state.ts';
import { logOnceAMinute } from '../core/reporting/log-once-a-minute.ts';
import { abortAfter, type Clock } from '../core/seams/clock.ts';
import type { Random } from '../core/seams/random.ts';
import { SECOND_MS } from '../core/seams/spans.ts';
import { type Log, OPERATORS_FAULT } from '../core/sending/carrier.ts';
import { Breaker, type Permit } from '../delivery/gate/breaker.ts';
import { presentReason } from '../delivery/reason.ts';
import { createLookupToken, type LookupToken } from './access-token.ts';
import type { LookupProvider, LookupReading } from './provider.ts';
import { RecentAnswers } from './recent-answers.ts';

/** To each origin, and so questions under way at once. */
const CONNECTIONS = 50;
const BREAKER = { failures: 5, resetAfter: 10 * SECOND_MS };
/** Whoever asked meanwhile about the same number does not wait as long once more. */
const FAILED_FOR_MS = 5 * SECOND_MS;
const PROBE_TIMEOUT_MS = 3_000;

interface Bounds {
  readonly name: string;
  readonly price: number;
  readonly failsClosed: boolean;
  readonly timeout: number;
  readonly remember: number;
}

export interface LookupPorts {
  readonly clock: Clock;
  readonly random: Pick<Random, 'uuid'>;
  readonly log: Log;
  readonly told: LookupTold;
  /** How providers are reached. */
  readonly connect?: typeof createTransport | undefined;
}

export class AskedProvider implements NumberLookup {
  readonly name: string;
  readonly price: number;
  readonly failsClosed: boolean;
  readonly tells: NumberLookup['tells'];
  readonly #bounds: Bounds;
  readonly #provider: LookupProvider;
  readonly #ports: LookupPorts;
  readonly #transports: readonly CarrierTransport[];
  readonly #transport: CarrierTransport;
  readonly #token: LookupToken | undefined;
  readonly #breaker: Breaker;
  /** Of a trial that nobody made: the breaker gives no other until it hears of one. */
  #unused: Permit | undefined;
  readonly #recent: RecentAnswers;
  readonly #log: Log;

  constructor(bounds: Bounds, provider: LookupProvider, ports: LookupPorts) {
    const { clock, connect = createTransport } = ports;
    const { origin, ca, tokens } = provider;
    this.name = bounds.name;
    this.price = bounds.price;
    this.failsClosed = bounds.failsClosed;
    this.tells = new Set(provider.tells);
    this.#bounds = bounds;
    this.#provider = provider;
    this.#ports = ports;
    this.#log = logOnceAMinute(ports.log, clock.steady);
    this.#transport = connect(clock, origin, { connections: CONNECTIONS, ca });
    const atTokens = tokens && connect(clock, new URL(new URL(tokens.url).origin), { connections: 1 });
    this.#token = tokens && atTokens && createLookupToken(tokens, atTokens, clock);
    this.#transports = atTokens === undefined ? [this.#transport] : [this.#transport, atTokens];
    this.#breaker = new Breaker(BREAKER, clock, (state) => {
      if (state === 'open')
        this.#log('warn', 'a look-up is not asked for a while: it does not answer', { lookup: this.name });
    });
    this.#recent = new RecentAnswers(clock);
  }

  recall(of: string, question: NumberQuestion): NumberAnswer | undefined {
    return this.#recent.get(this.#keyOf(of, question)) ?? (this.#admits ? undefined : 'failed');
  }

  permit(): LookupPermit | undefined {
    const permit = this.#unused ?? this.#breaker.permit();
    if (permit === undefined) return undefined;
    this.#unused = undefined;
    return {
      ask: (of, question) => this.#ask(permit, of, question),
      giveBack: () => {
        if (permit === 'trial') this.#unused = permit;
      },
    };
  }

  get #admits(): boolean {
    return this.#unused !== undefined || this.#breaker.admits;
  }

  async #ask(permit: Permit, of: string, question: NumberQuestion): Promise<NumberAnswer> {
    const read = await this.#read(question, abortAfter(this.#ports.clock, this.#bounds.timeout));
    const failed = 'failed' in read ? read.failed : undefined;
    this.#breaker.record(permit, 'isOurs' in read ? undefined : failed);
    if (failed === undefined) this.#ports.told(this.name, undefined);
    else {
      const reason = presentReason('isOurs' in read ? `${OPERATORS_FAULT}${failed}` : failed);
      this.#ports.told(this.name, { reason, at: this.#ports.clock.now() });
      this.#log('warn', `a look-up gave no answer: ${failed}`, { lookup: this.name });
      this.#recent.keep(this.#keyOf(of, question), 'failed', FAILED_FOR_MS);
      return 'failed';
    }
    const facts: NumberFacts = 'facts' in read ? read.facts : {};
    this.#recent.keep(this.#keyOf(of, question), facts, this.#bounds.remember);
    return facts;
  }

  /** Whether its hosts can be reached, and give an access token. It is asked nothing, which would cost money. */
  readonly check = async (): Promise<{ readonly ok: boolean; readonly detail: string }> => {
    try {
      await Promise.all(this.#transports.map((transport) => transport.probe(PROBE_TIMEOUT_MS)));
    } catch (error) {
      return { ok: false, detail: error instanceof Error ? error.message : 'unknown' };
    }
    const connected = `connected to ${this.#provider.origin.host}`;
    if (this.#token === undefined)
      return { ok: true, detail: `${connected}; the credentials were not tried` };
    const given = await this.#token.get(abortAfter(this.#ports.clock, PROBE_TIMEOUT_MS));
    return 'failed' in given
      ? { ok: false, detail: `${connected}, but ${given.failed}` }
      : { ok: true, detail: `${connected}, with an access token` };
  };

  close(): void {
    for (const transport of this.#transports) transport.close();
  }

  async #read(question: NumberQuestion, signal: AbortSignal): Promise<LookupReading> {
    for (let isSecond = false; ; isSecond = true) {
      const given = this.#token === undefined ? { token: '' } : await this.#token.get(signal);
      if ('failed' in given) return given;
      const exchange = await this.#transport.send(this.#provider.request(question, given.token), { signal });
      if (exchange.kind === 'failed') return { failed: exchange.reason };
      const read = this.#provider.read(exchange.answer, question);
      // It was taken back before its end. Another one is tried once.
      if (!('isUnauthorized' in read)) return read;
      this.#token?.forget(given.token);
      if (isSecond) return read;
    }
  }

  #keyOf(of: string, question: NumberQuestion): string {
    return `${of} ${this.#provider.scopeOf(question)}`;
  }
}
