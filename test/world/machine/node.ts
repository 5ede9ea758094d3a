/** One process of the service, put together as always, but without socket, thread and file. */
import './preload.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { assemble } from '../../../src/assembly.ts';
import type { Config } from '../../../src/config/table/schema.ts';
import type { Clock } from '../../../src/core/seams/clock.ts';
import type { Random } from '../../../src/core/seams/random.ts';
import { Keyring } from '../../../src/core/secrets/keyring.ts';
import { createPortal, scheduleSweep } from '../../../src/portal/index.ts';
import type { ReloadOutcome } from '../../../src/reload/outcome.ts';
import type { Store } from '../../../src/store/port.ts';
import { createMetrics, type Metrics } from '../../../src/telemetry/metrics.ts';
import { prepareTracing } from '../../../src/tracing/index.ts';
import type { Answer } from '../happening.ts';
import type { Carriers } from './carriers.ts';
import type { OpenDisk } from './disk.ts';
import type { AnyDisk } from './disks.ts';
import type { Endpoints } from './endpoints.ts';
import type { Providers } from './providers.ts';
import { randomFrom } from './random.ts';
import type { Machine, Time } from './time.ts';
import type { Turns } from './turns.ts';

export interface World {
  readonly time: Time;
  readonly turns: Turns;
  readonly disk: AnyDisk;
  readonly carriers: Carriers;
  readonly endpoints: Endpoints;
  readonly providers: Providers;
  /** Hears each line of the log. */
  readonly logged: (line: string) => void;
}

export interface Sending {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a client has who gets no answer: nobody knows whether it was done. At every door. */
export const NOBODY_KNOWS: Answer = {
  status: 503,
  body: { type: '/problems/outcome-unknown', code: 20503, message: 'The outcome is unknown' },
  headers: { 'retry-after': '1' },
};

/** More than a history has. What the service reserves for millions of numbers takes longer to make than everything else. */
const GUARD_BOUNDS = { places: 2 ** 12, numbers: 2 ** 12, open: 2 ** 12 };

export class Node {
  readonly place: number;
  readonly machine: Machine;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly opened: OpenDisk;
  readonly #world: World;
  #store: Store | undefined;
  #server: FastifyInstance | undefined;
  #metrics: Pick<Metrics, 'render'> | undefined;
  #reload: ((read: () => Config) => Promise<ReloadOutcome>) | undefined;
  /** What is to end when it stops. */
  readonly #parts = new AsyncDisposableStack();
  readonly #asked = new Set<Promise<Answer>>();
  readonly #gone = Promise.withResolvers<void>();
  #isGone = false;
  #hasStopped = false;

  private constructor(world: World, place: number, machine: Machine, config: Config, seed: number) {
    this.#world = world;
    this.place = place;
    this.machine = machine;
    const clock = world.time.clockOf(this.machine);
    this.keyring = Node.secretsOf(config, clock);
    this.random = randomFrom(seed, clock.wall);
    this.opened = world.disk.open(clock, this.random, () => this.crash());
  }

  static async start(
    world: World,
    place: number,
    machine: Machine,
    config: Config,
    seed: number,
  ): Promise<Node> {
    const node = new Node(world, place, machine, config, seed);
    await node.#assemble(config);
    return node;
  }

  async #assemble(config: Config): Promise<void> {
    const { time, turns, carriers, endpoints, providers, logged } = this.#world;
    const machine = time.clockOf(this.machine);
    const logger = pino({ level: config.log.level, base: null, timestamp: false }, { write: logged });
    const note = (level: 'info' | 'warn' | 'error', message: string, fields = {}) =>
      logger[level](fields, message);
    const store = await turns.until(Promise.resolve(this.opened.store), [this.opened]);
    this.#store = store;
    this.#parts.defer(() => store.close());
    const metrics = createMetrics({ clock: machine });
    const { server, current } = await turns.until(
      assemble(this.#parts, {
        ...{ config, machine, metrics, keyring: this.keyring, store },
        random: this.random,
        damage: { met: false, note: () => {} },
        log: { logger, note, plain: (fields, message) => logger.info(fields, message), close: () => {} },
        traces: await prepareTracing(config),
        transport: { kind: 'proxy', trustedPeers: config.trustProxy },
        portal: { createPortal, scheduleSweep },
        createCarriers: carriers.createAt(this.place),
        loadPost: async () => ({ createPost: endpoints.open }),
        connectLookups: providers.connectFrom(this.machine.name),
        guardBounds: GUARD_BOUNDS,
        node: this.machine.name,
      }),
      [this.opened],
    );
    await turns.until(Promise.resolve(server.ready()), [this.opened]);
    this.#server = server;
    this.#metrics = metrics;
    this.#reload = (read) => current.reload(async () => read(), 'signal');
  }

  static secretsOf({ secret = '', previousSecret }: Config, clock: Clock): Keyring {
    return new Keyring(secret, previousSecret, clock.wall);
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('the process has not started');
    return this.#store;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Sends it a request. Nobody knows what became of it if the process ends meanwhile. */
  request({ method, url, headers, body }: Sending): Promise<Answer> {
    if (this.#server === undefined) throw new Error('the process has not started');
    const injected = this.#server
      .inject({
        ...{ method, url, remoteAddress: '127.0.0.1' },
        headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7', ...headers },
        ...(body !== undefined && { payload: body }),
      })
      .then(({ statusCode, payload, headers }) => ({
        status: statusCode,
        body: /json/.test(String(headers['content-type'])) ? JSON.parse(payload) : payload,
        // Its date is that of Node.
        headers: Object.fromEntries(
          Object.entries(headers)
            .filter(([name]) => name !== 'date')
            .map(([name, value]) => [name, String(value)]),
        ),
      }));
    this.#asked.add(injected);
    const forget = () => this.#asked.delete(injected);
    injected.then(forget, forget);
    return this.orGone(injected, NOBODY_KNOWS);
  }

  /** As `request`, for whoever can tell a connection that was lost: undefined. */
  async reach(sending: Sending): Promise<Answer | undefined> {
    const answer = this.#isGone ? NOBODY_KNOWS : await this.request(sending);
    return answer === NOBODY_KNOWS ? undefined : answer;
  }

  /** What it answers, or what is known if it ends before. */
  orGone<T>(answer: Promise<T>, unknown: T): Promise<T> {
    return Promise.race([answer, this.#gone.promise.then(() => unknown)]);
  }

  /** What it tells whoever watches it. */
  async metrics(): Promise<string> {
    // Some figures are asked of the disk.
    return this.#world.turns.until(this.#metrics?.render() ?? Promise.resolve(''), [this.opened]);
  }

  async reload(read: () => Config): Promise<ReloadOutcome | undefined> {
    return this.#reload?.(read);
  }

  /** Whether it ended in its own time, with everything written down. */
  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  /** It is told to end: it answers who has asked, and ends. */
  async stop(): Promise<void> {
    // A server that listens waits for its connections.
    await Promise.all(this.#asked);
    await this.#parts.disposeAsync();
    if (this.#isGone) return;
    this.#hasStopped = true;
    this.#end();
  }

  /** The process ends without a word. */
  crash(): void {
    this.#end();
    this.#gone.resolve();
  }

  #end(): void {
    this.#isGone = true;
    this.#world.time.end(this.machine);
    this.opened.drop();
  }
}
