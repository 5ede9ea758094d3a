/**
 * The store that several nodes share: the real one, on a database of a real server that tells the world's time. A process that ends takes
 * its connections with it.
 */
import type { Clock } from '../../../../src/core/seams/clock.ts';
import type { Random } from '../../../../src/core/seams/random.ts';
import type { StoreRules } from '../../../../src/store/port.ts';
import { openPostgresStore } from '../../../../src/store/postgres/store.ts';
import type { Fault } from '../../command.ts';
import type { OpenDisk } from '../disk.ts';
import type { Draw } from '../random.ts';
import { giveBack, lendDatabase, type WorldDatabase } from './databases.ts';
import { Line } from './line.ts';
import { Traffic } from './traffic.ts';

const NEXT_DUE = {
  name: 'next_due',
  text: `SELECT min(due) AS due FROM (
    SELECT min(due_at) AS due FROM delivery WHERE due_at > $1
    UNION ALL SELECT min(fallback_at) FROM delivery WHERE fallback_at > $1
    UNION ALL SELECT min(expires_at) FROM verification WHERE expires_at > $1
    UNION ALL SELECT min(due_at) FROM webhook_message WHERE due_at > $1
    UNION ALL SELECT min(expires_at) FROM webhook_expiry WHERE expires_at > $1) AS all_due`,
};
/** They are gone when this is answered. */
const END = 'SELECT pg_terminate_backend(pid, 10000) FROM unnest($1::integer[]) AS pid';

export class PostgresDisk {
  readonly #rules: StoreRules;
  readonly #clock: Clock;
  readonly #database: WorldDatabase;
  readonly #traffic: Traffic;
  /** Processes of the server whose nodes are gone. */
  #orphans: number[] = [];
  #due = 0;

  private constructor(rules: StoreRules, clock: Clock, draw: Draw, database: WorldDatabase) {
    this.#rules = rules;
    this.#clock = clock;
    this.#database = database;
    this.#traffic = new Traffic(clock.wall, draw);
  }

  /** `clock` is that of the database's machine. */
  static async open(rules: StoreRules, clock: Clock, draw: Draw): Promise<PostgresDisk> {
    return new PostgresDisk(rules, clock, draw, await lendDatabase(clock));
  }

  set fault(fault: Fault | undefined) {
    this.#traffic.fault = fault;
  }

  set faultAfter(commits: number) {
    this.#traffic.faultAfter = commits;
  }

  get isFull(): boolean {
    return this.#traffic.isFull;
  }

  set isFull(isFull: boolean) {
    this.#traffic.isFull = isFull;
  }

  open(machine: Clock, random: Random, onCrash: () => void): OpenDisk {
    const { address, sessions } = this.#database;
    const line = new Line(this.#traffic, sessions, onCrash);
    const servers = address.servers.map((server) => ({ ...server, stream: line.open }));
    return {
      store: openPostgresStore({ address: { ...address, servers }, machine, random, ...this.#rules }),
      flush: () => this.#flush(),
      drop: () => void this.#orphans.push(...line.end()),
    };
  }

  /** When something is due that waits in the store, in Unix ms; infinite if nothing is. */
  nextDue(): number {
    return this.#due;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endOrphans();
    await giveBack(this.#database);
  }

  async #flush(): Promise<boolean> {
    await this.#endOrphans();
    if (await this.#traffic.serve()) return true;
    if (this.#traffic.hasChanged || this.#due <= this.#clock.wall()) await this.#look();
    return false;
  }

  async #endOrphans(): Promise<void> {
    const pids = this.#orphans.splice(0);
    if (pids.length > 0) await this.#database.client.query(END, [pids]);
  }

  async #look(): Promise<void> {
    this.#traffic.hasChanged = false;
    const { rows } = await this.#database.client.query<{ due: string | null }>({
      ...NEXT_DUE,
      values: [this.#clock.wall()],
    });
    const due = rows[0]?.due ?? null;
    this.#due = due === null ? Number.POSITIVE_INFINITY : Number(due);
  }
}
