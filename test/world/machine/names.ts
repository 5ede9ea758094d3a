/** Whom commands name by the world's words: accounts, keys, people, and verifications by the number of a command. */
import { mintKey } from '../../../src/core/accounts/api-key-format.ts';
import type { Clock } from '../../../src/core/seams/clock.ts';
import type { Random } from '../../../src/core/seams/random.ts';
import type { Keyring } from '../../../src/core/secrets/keyring.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Command } from '../command.ts';
import type { Answer } from '../happening.ts';
import { idIn, type Names } from './doors.ts';
import { addEndpoint, allowAll, type Endpoint, type Key, makeFirstKey } from './operator.ts';
import { keyMade, makePeople, type Person, type PortalNames, rulesShown } from './portal.ts';
import { randomFrom } from './random.ts';

export const ACCOUNTS = ['a', 'b'] as const;
/** All that a configuration may name. */
export const CARRIERS = ['one', 'two', 'three', 'four', 'five'] as const;

/** Well-formed, and nobody's. */
export const UNUSED_KEY = mintKey(
  randomFrom(1, () => 0),
  false,
).key;

export class NameTable {
  readonly keys = new Map<string, Key>();
  readonly accounts = new Map<string, string>();
  readonly endpoints = new Map<string, Endpoint>();
  /** Of the guard. */
  readonly rules = new Map<string, string>();
  people = new Map<string, Person>();
  readonly #ids = new Map<number, string>();

  /** Makes those that each history begins with. */
  async make(store: Store, keyring: Keyring, clock: Clock, random: Random): Promise<void> {
    const { keys, accounts, endpoints, rules } = this;
    const deps = { store, keyring, clock, random, keys, accounts, endpoints, rules };
    for (const account of ACCOUNTS)
      for (const kind of ['live', 'test'])
        await makeFirstKey(deps, `${account}-${kind}`, account, kind === 'test');
    for (const account of ACCOUNTS) await addEndpoint(deps, account);
    for (const account of ACCOUNTS) await allowAll(deps, account);
    this.people = await makePeople(store, this.accounts, clock.wall());
  }

  copy(): NameTable {
    const copy = new NameTable();
    for (const [name, key] of this.keys) copy.keys.set(name, key);
    for (const [name, endpoint] of this.endpoints) copy.endpoints.set(name, endpoint);
    for (const [name, id] of this.accounts) copy.accounts.set(name, id);
    for (const [name, person] of this.people) copy.people.set(name, { ...person });
    return copy;
  }

  /** Of what the n-th command was answered, what later commands name. */
  learn(n: number, command: Command, answer: Answer): void {
    const id = idIn(answer.body);
    if (id !== undefined && !this.#ids.has(n)) this.#ids.set(n, id);
    for (const [name, rule] of rulesShown(command, answer)) this.rules.set(name, rule);
    const key = keyMade(command, answer);
    if (key === undefined) return;
    if (command.do === 'make-key') this.keys.set(command.name, { ...key, account: command.account });
    if (command.do === 'rotate-key')
      this.keys.set(command.name, { ...key, account: this.keys.get(command.key)?.account ?? '' });
  }

  get hookKey(): string {
    return this.keys.get('a-live')?.token ?? UNUSED_KEY;
  }

  /** For requests that are made now. */
  at(now: number): Names & PortalNames {
    return {
      ...{ people: this.people, accounts: this.accounts, keys: this.keys, endpoints: this.endpoints },
      ...{ rules: this.rules, hookKey: this.hookKey, now },
      tokenOf: (key) => this.keys.get(key)?.token ?? UNUSED_KEY,
      idOf: (made) => this.#ids.get(made) ?? `ver_${'0'.repeat(32)}`,
    };
  }
}
