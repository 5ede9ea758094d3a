/**
 * Connections to the server in use, as libpq finds it: those of the address are asked in their order, until one lets us in and
 * is what is wanted. The one that served last is asked first, so a server that is gone costs its patience only once.
 */
import pg from 'pg';
import { describeError } from '../../../core/errors/error-facts.ts';
import { StoreUnavailable } from '../../../core/errors/store-failure.ts';
import type { Clock } from '../../../core/seams/clock.ts';
import type { Log } from '../../../core/sending/carrier.ts';
import type { ServerNote, ServerState } from '../../../core/sql/database.ts';
import type { DatabaseAddress, ServerAddress, Target } from '../../../options/database-address.ts';
import { inTime } from './deadline.ts';
import { asFailure, isDatabaseUnavailable, NoAnswer, reasonOf } from './failure.ts';
import { refusePgpool } from './pgpool.ts';
import { isOrdinary, ServerRefused, stateAfter } from './server-state.ts';
import { DatabaseSession, setUpSession } from './session.ts';
import { type Position, readPosition, TimelineGuard } from './timeline-guard.ts';

/** How long one of several servers is waited for, in ms: then the next is asked. */
const ONE_OF_SEVERAL_MS = 2_000;
/** The only one is waited for nearly as long as a call has patience: there is nobody else to ask. */
const ONLY_ONE_MS = 4_000;
const CONNECTIONS = 10;

/** Our 64-bit integers are times and counts, all far below 2^53. */
const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
};

/** For how long it counts what a server was when it was asked, in ms: others are not asked while one is used. */
const RECENT_MS = 60_000;

interface Server {
  readonly name: string;
  readonly pool: pg.Pool;
  /** It was looked at once whether this is pgpool-II. */
  isKnown?: true;
  last?: { readonly state: ServerState; readonly reason: string; readonly at: number };
}

interface Refusal {
  readonly server: Server;
  readonly error: unknown;
  readonly position: Position | undefined;
}

interface ServersOptions {
  readonly machine: Clock;
  readonly log?: Log | undefined;
  readonly timelines?: TimelineGuard;
}

export class Servers {
  readonly #target: Target;
  readonly #servers: readonly Server[];
  readonly #log: Log;
  readonly #machine: Clock;
  readonly #timelines: TimelineGuard;
  readonly #connectMs: number;
  #latest: Server | undefined;
  #sessions = new WeakMap<pg.PoolClient, DatabaseSession>();

  constructor({ servers, target }: DatabaseAddress, options: ServersOptions) {
    this.#machine = options.machine;
    this.#target = target;
    this.#log = options.log ?? (() => {});
    this.#timelines = options.timelines ?? new TimelineGuard(options.machine.steady);
    this.#connectMs = servers.length > 1 ? ONE_OF_SEVERAL_MS : ONLY_ONE_MS;
    this.#servers = servers.map((address) => ({
      name: `${address.host}:${address.port}`,
      pool: poolOf(address, this.#connectMs),
    }));
  }

  /** Those that were asked a short while ago, and the one in use. */
  get notes(): readonly ServerNote[] {
    return this.#recent().map(({ name, last }) => ({ server: name, state: last.state }));
  }

  /** Why those that were asked a short while ago are not used, for people. */
  get reasons(): string {
    const refused = this.#recent().filter(({ last }) => last.state !== 'used');
    return refused.map(({ name, last }) => `${name}: ${last.reason}`).join('; ');
  }

  /** Rejects with the reasons of all servers. */
  async connect(): Promise<DatabaseSession> {
    const refusals: Refusal[] = [];
    for (const server of this.#order()) {
      const asked = await this.#ask(server);
      if (asked instanceof DatabaseSession) return asked;
      refusals.push(asked);
    }
    const left = this.#findLeft(refusals);
    const asked = left && (await this.#ask(left.server, true));
    if (asked instanceof DatabaseSession) return asked;
    throw this.#explain(refusals);
  }

  /**
   * Has every connection set up again before its next use: once one has failed, the others may lead to a server that is gone,
   * only reads by now, or is another one behind the same address.
   */
  doubt(): void {
    this.#sessions = new WeakMap();
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ pool }) => pool.end()));
  }

  #order(): readonly Server[] {
    const latest = this.#latest;
    return latest === undefined
      ? this.#servers
      : [latest, ...this.#servers.filter((server) => server !== latest)];
  }

  #recent() {
    const since = this.#machine.steady() - RECENT_MS;
    return this.#servers.flatMap(({ name, last }) =>
      last !== undefined && (last.state === 'used' || last.at > since) ? [{ name, last }] : [],
    );
  }

  /** Rejects if the failure is not that the server cannot be used. `isOnly`: it is the only primary that is left. */
  async #ask(server: Server, isOnly = false): Promise<DatabaseSession | Refusal> {
    const seen: { position?: Position | undefined } = {};
    try {
      const session = await this.#connectTo(server, isOnly, seen);
      this.#timelines.served();
      this.#latest = server;
      server.last = { state: 'used', reason: '', at: this.#machine.steady() };
      return session;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      server.last = { state: stateAfter(error), reason: reasonOf(error), at: this.#machine.steady() };
      this.#tell(server, error);
      return { server, error, position: seen.position };
    }
  }

  async #connectTo(
    server: Server,
    isOnly: boolean,
    seen: { position?: Position | undefined },
  ): Promise<DatabaseSession> {
    const client = await server.pool.connect();
    const setUp = async () => {
      if (!server.isKnown) await refusePgpool(client);
      server.isKnown = true;
      seen.position = await readPosition(client);
      const session = await setUpSession(client, this.#target);
      this.#requireNewest(server, seen.position, isOnly);
      return session;
    };
    try {
      const known = this.#sessions.get(client);
      if (known !== undefined) return known;
      const session = await inTime(
        this.#machine,
        setUp(),
        this.#machine.steady() + this.#connectMs,
        new NoAnswer('the database did not answer in time'),
      );
      this.#sessions.set(client, session);
      return session;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  #requireNewest(server: Server, position: Position | undefined, isOnly: boolean): void {
    if (position === undefined || position.isStandby) return;
    const { timeline } = position;
    const judgement = this.#timelines.judge(timeline, isOnly);
    if (judgement.kind === 'newest') return;
    const { newest } = judgement;
    if (judgement.kind === 'left-behind') {
      throw new ServerRefused(
        'left-behind',
        `the server was left behind by a promotion: it is on timeline ${timeline}, and another was on ${newest}`,
      );
    }
    this.#log(
      'error',
      'an older server of the database is used again: what was saved on the newer one is lost',
      {
        ...{ server: server.name, timeline, newest },
      },
    );
  }

  /** The one that was left behind, if all others are standbys that follow it: the newer timeline was given up. */
  #findLeft(refusals: readonly Refusal[]): Refusal | undefined {
    const left = refusals.find(({ error }) => stateAfter(error) === 'left-behind');
    const timeline = left?.position?.timeline;
    const others = refusals.filter((refusal) => refusal !== left);
    // Behind one address there may be others that nobody sees.
    if (timeline === undefined || others.length === 0) return undefined;
    const follows = ({ position }: Refusal) => position?.isStandby === true && position.timeline <= timeline;
    return others.every(follows) ? left : undefined;
  }

  #tell({ name }: Server, error: unknown): void {
    if (isOrdinary(error)) return;
    // With one server, whatever needs it says so.
    if (this.#servers.length === 1 && !(error instanceof ServerRefused)) return;
    const fields = { server: name, error: describeError(asFailure(error, false)) };
    this.#log('warn', 'a server of the database is not used', fields);
  }

  #explain(refusals: readonly Refusal[]): unknown {
    const last = refusals.at(-1)?.error;
    if (this.#servers.length === 1 && !(last instanceof ServerRefused)) return last;
    const told = refusals.map(({ server, error }) => `${server.name}: ${reasonOf(error)}`);
    return new StoreUnavailable(`no server can be used (${told.join('; ')})`, { cause: last });
  }
}

function poolOf(address: ServerAddress, connectMs: number): pg.Pool {
  const pool = new pg.Pool({
    ...address,
    types,
    application_name: 'countersign',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    max: CONNECTIONS,
    idleTimeoutMillis: 60_000,
  });
  // A lost connection is replaced when one is needed, and its statement fails by itself.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
