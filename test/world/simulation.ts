/** Plays a history of commands to the service, and tells what happened. */

import { mintKey } from '../../src/core/accounts/api-key-format.ts';
import { StoreUnavailable } from '../../src/core/errors.ts';
import type { Answer, Command, FixedOptions, Happening, LiveOptions, Reported } from './command.ts';
import { Carriers } from './machine/carriers.ts';
import { Disk } from './machine/disk.ts';
import { idIn, type Names, requestOf } from './machine/doors.ts';
import { Endpoints } from './machine/endpoints.ts';
import { NOBODY_KNOWS, Node } from './machine/node.ts';
import { addEndpoint, type Key, makeFirstKey, type OperatorDeps, operate } from './machine/operator.ts';
import {
  keyMade,
  makePeople,
  type Person,
  type PortalNames,
  portalRequest,
  signIn,
} from './machine/portal.ts';
import { randomFrom } from './machine/random.ts';
import { configOf } from './machine/settings.ts';
import { type Machine, Time } from './machine/time.ts';
import { Turns } from './machine/turns.ts';

/** Wednesday morning, far from the end of a day. */
const START = Date.UTC(2026, 10, 25, 9);
/** Longer than any call of the service may wait. */
const MOST_PATIENCE_MS = 30_000;
export const ACCOUNTS = ['a', 'b'] as const;

export class Simulation implements Disposable {
  readonly happenings: Happening[] = [];
  readonly keys = new Map<string, Key>();
  readonly disk: Disk;
  readonly #time = new Time(START);
  readonly #turns = new Turns();
  readonly #fixed: FixedOptions;
  readonly #accounts = new Map<string, string>();
  #people = new Map<string, Person>();
  readonly #ids = new Map<number, string>();
  readonly #carriers: Carriers;
  readonly #endpoints: Endpoints;
  readonly #seed: number;
  readonly #crashes: number[] = [];
  readonly #log: string[] = [];
  #live: LiveOptions;
  #node: Node | undefined;
  #starts = 0;
  #count = 0;

  private constructor(fixed: FixedOptions, live: LiveOptions, seed: number) {
    this.#fixed = fixed;
    this.#live = live;
    this.#seed = seed;
    const note = (happening: Happening) => {
      this.happenings.push(happening);
      this.#time.stir();
    };
    this.#carriers = new Carriers((sent) => note({ kind: 'sent', at: this.#time.now, ...sent }));
    this.#endpoints = new Endpoints((told) => note({ kind: 'told', at: this.#time.now, ...told }));
    this.disk = new Disk(configOf(fixed, live, UNUSED_KEY));
  }

  static async start(fixed: FixedOptions, live: LiveOptions, seed: number): Promise<Simulation> {
    const simulation = new Simulation(fixed, live, seed);
    await simulation.#prepare();
    return simulation;
  }

  /** How many messages carriers were asked to send. */
  get sentCount(): number {
    return this.#carriers.count;
  }

  /** The lines of the log since it was last asked. */
  takeLog(): readonly string[] {
    return this.#log.splice(0);
  }

  /** All API keys. */
  tokens(): string[] {
    return [...this.keys.values()].map(({ token }) => token);
  }

  /** What the newest process tells whoever watches it. */
  metrics(): Promise<string> {
    return this.#current.metrics();
  }

  /** When processes ended since it was last asked. */
  takeCrashes(): readonly number[] {
    return this.#crashes.splice(0);
  }

  get now(): number {
    return this.#time.now;
  }

  /** Does commands at once, and then everything that can be done without time passing. */
  async do(...commands: readonly Command[]): Promise<void> {
    const first = this.#count;
    this.#count += commands.length;
    const [only] = commands;
    if (only !== undefined && commands.length === 1 && (await this.#outside(first, only))) return;
    const at = this.#time.now;
    const answers = commands.map((command) => this.#ask(command));
    this.#time.stir();
    const all = Promise.all(answers);
    await this.#untilDone(all);
    for (const [i, answer] of (await all).entries()) {
      const command = commands[i];
      if (command === undefined) continue;
      const n = first + i;
      const id = idIn(answer.body);
      if (id !== undefined && !this.#ids.has(n)) this.#ids.set(n, id);
      this.happenings.push({ kind: 'command', n, command, answer, at, until: this.#time.now });
    }
    // It was for these commands, whether they met it or not.
    this.disk.fault = undefined;
    if (this.#current.isGone) await this.#startAgain();
  }

  [Symbol.dispose](): void {
    this.disk[Symbol.dispose]();
  }

  get #current(): Node {
    return this.#node ?? never();
  }

  async #prepare(): Promise<void> {
    const machine: Machine = { name: 'operator', ahead: 0, isPaused: false };
    const clock = this.#time.clockOf(machine);
    const random = randomFrom(this.#seed, clock.wall);
    const opened = this.disk.open(clock, random);
    const keyring = Node.secretsOf(this.#config(), clock);
    const deps = { store: opened.store, keyring, clock, random, keys: this.keys, accounts: this.#accounts };
    const making = async () => {
      for (const account of ACCOUNTS)
        for (const kind of ['live', 'test'])
          await makeFirstKey(deps, `${account}-${kind}`, account, kind === 'test');
      for (const account of ACCOUNTS) await addEndpoint(deps, account);
      this.#people = await makePeople(opened.store, this.#accounts, this.#time.now);
    };
    await this.#turns.until(making(), [opened]);
    await this.#startNode();
  }

  #config() {
    return configOf(this.#fixed, this.#live, this.keys.get('a-live')?.token ?? UNUSED_KEY);
  }

  async #startNode(): Promise<void> {
    this.#starts += 1;
    const world = {
      ...{
        time: this.#time,
        turns: this.#turns,
        disk: this.disk,
        carriers: this.#carriers,
        endpoints: this.#endpoints,
      },
      logged: (line: string) => void this.#log.push(line),
    };
    this.disk.onCrash = () => this.#node?.crash();
    this.#node = await Node.start(
      world,
      `node ${this.#starts}`,
      this.#config(),
      this.#seed + this.#starts * 1_000,
    );
    await this.#settle();
  }

  async #startAgain(): Promise<void> {
    this.#crashes.push(this.#time.now);
    this.disk.fault = undefined;
    await this.#startNode();
  }

  /** What does not ask the service, but happens around it. */
  async #outside(n: number, command: Command): Promise<boolean> {
    const at = this.#time.now;
    const done = (status = 200) => {
      const answer: Answer = { status, body: null, headers: {} };
      this.happenings.push({ kind: 'command', n, command, answer, at, until: this.#time.now });
      return true;
    };
    switch (command.do) {
      case 'carrier':
        this.#carriers.conduct(command.carrier, command.conduct);
        return done();
      case 'endpoint':
        this.#endpoints.answer(command.account, command.status);
        return done();
      case 'fault':
        this.disk.fault = command.fault;
        return done();
      case 'crash':
        this.#current.crash();
        await this.#startAgain();
        return done();
      case 'wait':
        this.disk.fault = undefined;
        await this.#pass(command.ms);
        return done();
      default:
        return false;
    }
  }

  #ask(command: Command): Promise<Answer> {
    const byMember = portalRequest(command, this.#names);
    if (byMember !== undefined)
      return this.#current.request(byMember).then((answer) => this.#keep(command, answer));
    const sending = requestOf(command, this.#names);
    if (sending !== undefined) return this.#current.request(sending);
    const answer = this.#other(command).then((done) =>
      typeof done === 'number' ? { status: done, body: null, headers: {} } : done,
    );
    return this.#current.orGone(answer, NOBODY_KNOWS);
  }

  /** Of what the portal answered, what later commands name. */
  #keep(command: Command, answer: Answer): Answer {
    const made = keyMade(command, answer);
    if (made === undefined) return answer;
    if (command.do === 'make-key') this.keys.set(command.name, { ...made, account: command.account });
    if (command.do === 'rotate-key')
      this.keys.set(command.name, { ...made, account: this.keys.get(command.key)?.account ?? '' });
    return answer;
  }

  async #other(command: Command): Promise<number | Answer> {
    switch (command.do) {
      case 'report':
        return this.#report(command.sent, command.status);
      case 'keyword':
        return this.#carriers
          .hear({ carrier: command.carrier, from: command.from, text: command.word })
          .then(okay, away);
      case 'sign-in': {
        const person = this.#people.get(command.by) ?? never();
        return signIn(this.#operator.store, person, this.#operator.clock.wall()).then(okay, away);
      }
      case 'reload': {
        const before = this.#live;
        this.#live = command.live;
        const outcome = await this.#current.reload(this.#config());
        if (outcome?.ok !== true) this.#live = before;
        return outcome?.ok === true ? 200 : 400;
      }
      default:
        return operate(this.#operator, command).then((status) => status ?? never(), away);
    }
  }

  async #report(n: number, status: 'delivered' | 'undelivered'): Promise<number> {
    const sent = this.happenings.filter((each) => each.kind === 'sent')[n];
    if (sent === undefined) return 404;
    const { carrier, reference } = sent;
    const reporting = this.#carriers.report({ carrier, references: [reference], status }).then(
      (): Reported['taken'] => 'yes',
      (error: unknown) => (error instanceof StoreUnavailable ? 'no' : 'unknown'),
    );
    const taken = await this.#current.orGone(reporting, 'unknown');
    this.happenings.push({ kind: 'reported', at: this.#time.now, carrier, reference, status, taken });
    return taken === 'yes' ? 200 : 503;
  }

  get #names(): Names & PortalNames {
    return {
      ...{ people: this.#people, accounts: this.#accounts, keys: this.keys },
      tokenOf: (key) => this.keys.get(key)?.token ?? UNUSED_KEY,
      idOf: (made) => this.#ids.get(made) ?? `ver_${'0'.repeat(32)}`,
      hookKey: this.keys.get('a-live')?.token ?? UNUSED_KEY,
      now: this.#time.now,
    };
  }

  get #operator(): OperatorDeps {
    const { machine, keyring, opened, random } = this.#current;
    const clock = this.#time.clockOf(machine);
    return { store: opened.store, keyring, clock, random, keys: this.keys, accounts: this.#accounts };
  }

  #settle(): Promise<void> {
    return this.#turns.settle([this.#current.opened]);
  }

  async #pass(ms: number): Promise<void> {
    await this.#time.passTo(
      this.#time.now + ms,
      () => this.#settle(),
      () => this.disk.nextDue(this.#time.now),
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
      await this.#pass(50);
    }
  }
}

/** Well-formed, and nobody's. */
const UNUSED_KEY = mintKey(
  randomFrom(0, () => 0),
  false,
).key;
const okay = () => 200;
const away = () => 503;
const never = (): never => {
  throw new Error('it was to be there');
};
