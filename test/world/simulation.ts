/** Plays a history of commands to the service, and tells what happened. */
import type { DatabaseSync } from 'node:sqlite';
import { StoreFailure, StoreUnavailable } from '../../src/core/errors/store-failure.ts';
import type { Asked, Command } from './command.ts';
import type { Answer, Happening, Reported } from './happening.ts';
import type { Surroundings } from './history.ts';
import { Application } from './machine/application.ts';
import { Carriers } from './machine/carriers.ts';
import { crowd } from './machine/crowd.ts';
import { Disk } from './machine/disk.ts';
import { type AnyDisk, openDisk } from './machine/disks.ts';
import { requestOf } from './machine/doors.ts';
import { Endpoints } from './machine/endpoints.ts';
import { NameTable } from './machine/names.ts';
import { NOBODY_KNOWS, Node } from './machine/node.ts';
import { Nodes } from './machine/nodes.ts';
import { type OperatorDeps, operate } from './machine/operator.ts';
import { portalRequest, prove, readOn, signIn } from './machine/portal.ts';
import { Providers } from './machine/providers.ts';
import { randomFrom } from './machine/random.ts';
import { configOf } from './machine/settings.ts';
import { type Machine, Time } from './machine/time.ts';
import { Turns } from './machine/turns.ts';
import type { FixedOptions, LiveOptions } from './options.ts';

/** Wednesday morning, far from the end of a day. */
const START = Date.UTC(2026, 10, 25, 9);
/** Longer than any call of the service may wait. */
const MOST_PATIENCE_MS = 30_000;

/** Accounts with their first keys, endpoints and members are the same in every world. On a disk of its own they are made once. */
let original: { readonly image: Uint8Array; readonly names: NameTable } | undefined;

export class Simulation implements AsyncDisposable {
  readonly happenings: Happening[] = [];
  readonly #disk: AnyDisk;
  readonly #nodes: Nodes;
  readonly #time: Time;
  readonly #application: Application;
  readonly #turns = new Turns(() => this.#application.isBusy);
  readonly #fixed: FixedOptions;
  readonly #names: NameTable;
  readonly #carriers: Carriers;
  readonly #endpoints: Endpoints;
  readonly #providers: Providers;
  readonly #crashes: number[] = [];
  readonly #log: string[] = [];
  #live: LiveOptions;
  #count = 0;

  private constructor(world: Surroundings, disk: AnyDisk, time: Time, names: NameTable) {
    this.#fixed = world.fixed;
    this.#live = world.live;
    this.#disk = disk;
    this.#time = time;
    this.#application = new Application(time.clockOf({ name: 'application', ahead: 0, isPaused: false }));
    this.#names = names;
    const note = (happening: Happening) => {
      this.happenings.push(happening);
      this.#time.stir();
    };
    this.#carriers = new Carriers(
      (sent) => note({ kind: 'sent', at: this.#time.now, ...sent }),
      (took) => note({ kind: 'took', at: this.#time.now, ...took }),
      (asked) => note({ kind: 'asked back', at: this.#time.now, ...asked }),
    );
    this.#endpoints = new Endpoints((told) => note({ kind: 'told', at: this.#time.now, ...told }));
    this.#providers = new Providers((it) => note({ kind: 'questioned', at: this.#time.now, ...it }));
    const outside = { carriers: this.#carriers, endpoints: this.#endpoints, providers: this.#providers };
    const logged = (line: string) => void this.#log.push(line);
    this.#nodes = new Nodes(
      { time, disk, ...outside, turns: this.#turns, logged },
      world.nodes ?? 1,
      world.seed,
      () => this.#config(),
    );
  }

  static async start(world: Surroundings): Promise<Simulation> {
    const time = new Time(START);
    const names = original?.names.copy() ?? new NameTable();
    const rules = configOf(world.fixed, world.live, names);
    const disk = await openDisk(world, rules, time, original?.image);
    const simulation = new Simulation(world, disk, time, names);
    if (names.accounts.size === 0 || !(disk instanceof Disk)) await simulation.#prepare();
    await simulation.#nodes.start();
    await simulation.#settle();
    return simulation;
  }

  get now(): number {
    return this.#time.now;
  }

  /** How many messages carriers were asked to send. */
  get sentCount(): number {
    return this.#carriers.count;
  }

  /** Of the store that is on a disk of its own. */
  get database(): DatabaseSync | undefined {
    return this.#disk instanceof Disk ? this.#disk.db : undefined;
  }

  /** Of one question, in millionths. */
  priceOf(lookup: string): number {
    const { price = 0 } = this.#fixed.lookups?.find((it) => it.name === lookup) ?? {};
    return Math.round(price * 1_000_000);
  }

  /** The lines of the log since it was last asked. */
  takeLog(): readonly string[] {
    return this.#log.splice(0);
  }

  /** All API keys. */
  tokens(): string[] {
    return [...this.#names.keys.values()].map(({ token }) => token);
  }

  /** By which the endpoints of accounts know who tells them, at the beginning. */
  get secrets(): ReadonlyMap<string, string> {
    return new Map([...this.#names.endpoints].map(([account, { secret }]) => [account, secret]));
  }

  /** What the first node tells whoever watches it. */
  metrics(): Promise<string> {
    return this.#nodes.at(0).metrics();
  }

  /** Whether one of the nodes slept until now. */
  get hasJustWoken(): boolean {
    return this.#nodes.hasJustWoken;
  }

  /** When processes ended or fell asleep since it was last asked. */
  takeCrashes(): readonly number[] {
    return this.#crashes.splice(0);
  }

  /** Does commands at once, and then everything that can be done without time passing. */
  async do(...commands: readonly Asked[]): Promise<void> {
    const first = this.#count;
    this.#count += commands.length;
    const [only] = commands;
    if (only !== undefined && commands.length === 1 && (await this.#outside(first, only))) return;
    const at = this.#time.now;
    const processes = commands.map((command) => this.#nodes.at(command.node ?? 0).machine.name);
    const answers = commands.map((command) => this.#ask(command));
    this.#time.stir();
    const all = Promise.all(answers);
    await this.#untilDone(all);
    for (const [i, answer] of (await all).entries()) {
      const command = commands[i];
      if (command === undefined) continue;
      const n = first + i;
      this.#names.learn(n, command, answer);
      const [until, process = ''] = [this.#time.now, processes[i]];
      this.happenings.push({ kind: 'command', n, command, answer, at, until, process });
    }
    // A fault was for these commands, whether they met it or not.
    await this.#startAgain();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.#nodes.all) node.crash();
    await using _ = this.#disk;
  }

  async #prepare(): Promise<void> {
    const machine: Machine = { name: 'operator', ahead: 0, isPaused: false };
    const clock = this.#time.clockOf(machine);
    const random = randomFrom(0, clock.wall);
    const opened = this.#disk.open(clock, random, () => {});
    const keyring = Node.secretsOf(this.#config(), clock);
    const making = async () => this.#names.make(await opened.store, keyring, clock, random);
    await this.#turns.until(making(), [opened]);
    this.#time.end(machine);
    opened.drop();
    if (this.#disk instanceof Disk) original = { image: this.#disk.copy(), names: this.#names.copy() };
  }

  #config() {
    return configOf(this.#fixed, this.#live, this.#names);
  }

  async #startAgain(): Promise<void> {
    this.#disk.fault = undefined;
    this.#disk.faultAfter = 0;
    // What it did could not be written down.
    const wasFull = this.#disk.isFull;
    if (this.#nodes.all.some(({ isGone }) => isGone)) this.#disk.isFull = false;
    const gone = await this.#nodes.startAgain();
    if (gone.length === 0) return;
    for (const { hasStopped } of gone) if (!hasStopped || wasFull) this.#crashes.push(this.#time.now);
    await this.#settle();
  }

  /** What does not ask the service, but happens around it. */
  async #outside(n: number, command: Asked): Promise<boolean> {
    const at = this.#time.now;
    const { node: place = 0 } = command;
    const done = (status = 200) => {
      const answer: Answer = { status, body: null, headers: {} };
      this.happenings.push({ kind: 'command', n, command, answer, at, until: this.#time.now });
      return true;
    };
    switch (command.do) {
      case 'carrier':
        this.#carriers.conduct(command.carrier, command.conduct);
        return done();
      case 'take-back':
        this.#carriers.takeBack(command.carrier, command.answer);
        return done();
      case 'endpoint':
        this.#endpoints.answer(command.account, command.status);
        return done();
      case 'provider':
        this.#providers.conduct(command.lookup, command.conduct);
        return done();
      case 'line':
        this.#providers.know(command.number, command);
        return done();
      case 'fault':
        this.#disk.fault = command.fault;
        this.#disk.faultAfter = command.after ?? 0;
        return done();
      case 'disk':
        this.#disk.isFull = command.isFull;
        return done();
      case 'crash':
        this.#nodes.at(place).crash();
        await this.#startAgain();
        return done();
      case 'pause':
        // What it has not written down by then another node may do again, as after a crash.
        this.#crashes.push(at);
        this.#nodes.pause(place, command.ms);
        return done();
      case 'clock':
        this.#nodes.setClock(place, command.ahead);
        return done();
      case 'wait':
        this.#disk.fault = undefined;
        // What came of the last look is seen to at once, and not hours later.
        this.#time.stir();
        await this.#pass(command.ms);
        return done();
      default:
        return false;
    }
  }

  #ask(command: Asked): Promise<Answer> {
    const names = this.#names.at(this.#time.now);
    const sending = portalRequest(command, names) ?? requestOf(command, names);
    const node = this.#nodes.at(command.node ?? 0);
    if (command.do === 'app-start' || command.do === 'app-check')
      return this.#application.ask(command, names.tokenOf(command.key), (each) =>
        this.#nodes.at(command.node ?? 0).reach(each),
      );
    if (sending !== undefined) return readOn(sending, (each) => node.request(each));
    const answer = this.#other(node, command).then(
      (done): Answer => (typeof done === 'number' ? { status: done, body: null, headers: {} } : done),
    );
    return node.orGone(answer, NOBODY_KNOWS);
  }

  async #other(node: Node, command: Command): Promise<number | Answer> {
    switch (command.do) {
      case 'report':
        return this.#report(node, command.sent, command.status);
      case 'keyword':
        return this.#carriers
          .hear(node.place, { carrier: command.carrier, from: command.from, text: command.word })
          .then(okay, away);
      case 'sign-in': {
        const person = this.#names.people.get(command.by) ?? never();
        return signIn(node.store, person, this.#time.clockOf(node.machine).wall()).then(okay, away);
      }
      case 'prove': {
        const person = this.#names.people.get(command.by) ?? never();
        const now = this.#time.clockOf(node.machine).wall();
        return prove(node.store, person, now).then((isDone) => (isDone ? 200 : 401), away);
      }
      case 'reload':
        return this.#reload(command.live);
      case 'restart':
        return node.stop().then(okay);
      case 'crowd':
        return crowd(node, this.#names.accounts.get(command.account) ?? command.account, command).then(
          okay,
          away,
        );
      default:
        return operate(this.#operatorAt(node), command).then((status) => status ?? never(), away);
    }
  }

  /** On all nodes, of which each reads its own file. */
  async #reload(live: LiveOptions): Promise<number> {
    const before = this.#live;
    this.#live = live;
    const outcomes = await Promise.all(this.#nodes.all.map((node) => node.reload(() => this.#config())));
    const isDone = outcomes.every((outcome) => outcome?.ok === true);
    if (!isDone) this.#live = before;
    return isDone ? 200 : 400;
  }

  async #report(node: Node, n: number, status: 'delivered' | 'undelivered'): Promise<number> {
    const sent = this.happenings.filter((each) => each.kind === 'sent')[n];
    if (sent === undefined) return 404;
    const { carrier, reference } = sent;
    const reporting = this.#carriers.report(node.place, { carrier, references: [reference], status }).then(
      (): Reported['taken'] => 'yes',
      (error: unknown) => (error instanceof StoreUnavailable ? 'no' : 'unknown'),
    );
    const taken = await node.orGone(reporting, 'unknown');
    this.happenings.push({ kind: 'reported', at: this.#time.now, carrier, reference, status, taken });
    return taken === 'yes' ? 200 : 503;
  }

  #operatorAt({ machine, keyring, store, random }: Node): OperatorDeps {
    const clock = this.#time.clockOf(machine);
    const { keys, accounts, endpoints, rules } = this.#names;
    return { store, keyring, clock, random, keys, accounts, endpoints, rules };
  }

  #settle(): Promise<void> {
    return this.#turns.settle(this.#nodes.disks);
  }

  async #pass(ms: number): Promise<void> {
    await this.#time.passTo(
      this.#time.now + ms,
      () => this.#settle(),
      () => this.#disk.nextDue(this.#time.now),
    );
  }

  /** Time passes only if it has to. */
  async #untilDone(promise: Promise<unknown>): Promise<void> {
    let isDone = false;
    void promise.finally(() => {
      isDone = true;
    });
    await this.#settle();
    for (let waited = 0; !isDone; waited += 50) {
      if (waited > MOST_PATIENCE_MS) throw new Error('a command was never answered');
      if (this.#nodes.all.some(({ isGone }) => isGone)) await this.#startAgain();
      await this.#pass(50);
    }
  }
}

const okay = () => 200;
/** A store that failed is what the world is for; everything else is a fault. */
const away = (error: unknown) => {
  if (error instanceof StoreFailure) return 503;
  throw error;
};
const never = (): never => {
  throw new Error('it was to be there');
};
