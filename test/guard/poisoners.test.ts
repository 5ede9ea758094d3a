/** Whoever lies about their codes, in the simulated world: it pays no attack, and harms nobody else. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readNumber } from '../../src/core/destination/numbering-plan.ts';
import { type FraudVerdict, MOST_COUNTED } from '../../src/core/guarding/verdict.ts';
import type { Ask } from '../../src/guard/ask.ts';
import { Guard as Ours } from '../../src/guard/guard.ts';
import { type Guard, judge } from './run.ts';
import type { WorldEvent } from './world/event.ts';
import { scenarios } from './world.ts';

/** So long after its code somebody lies: it had its time. */
const LATER = 10 * 60_000;
const DAY = 86_400_000;

type Liar = (account: string) => FraudVerdict | undefined;

interface Code {
  readonly ask: Ask;
  isConfirmed: boolean;
}

/** As many verdicts count in a day as the service lets. */
class Lies {
  readonly #liar: Liar;
  readonly #counted = new Map<string, number>();
  readonly #codes: Code[] = [];

  constructor(liar: Liar) {
    this.#liar = liar;
  }

  sent(ask: Ask): Code {
    const code = { ask, isConfirmed: false };
    this.#codes.push(code);
    return code;
  }

  tell(guard: Ours, now: number): void {
    for (let code = this.#codes[0]; code !== undefined && code.ask.at + LATER <= now; code = this.#codes[0]) {
      this.#codes.shift();
      const { ask, isConfirmed } = code;
      const verdict = this.#liar(ask.account);
      if (verdict === undefined) continue;
      const at = ask.at + LATER;
      const weight = guard.weigh({ ...ask, at }, isConfirmed, verdict);
      if (weight === 0 || !this.#mayCount(ask, verdict, at)) continue;
      guard.judged({ ...ask, at }, ask.at, null, { verdict, weight, at });
    }
  }

  #mayCount({ account, key }: Ask, verdict: FraudVerdict, at: number): boolean {
    const day = Math.floor(at / DAY);
    const bounds = [
      [`${account} ${verdict} ${day}`, MOST_COUNTED[verdict].account],
      [`${account} ${key} ${verdict} ${day}`, MOST_COUNTED[verdict].speaker],
    ] as const;
    if (bounds.some(([name, most]) => (this.#counted.get(name) ?? 0) >= most)) return false;
    for (const [name] of bounds) this.#counted.set(name, (this.#counted.get(name) ?? 0) + 1);
    return true;
  }
}

function createLiars(liar: Liar, onAnswer: (account: string, isRefused: boolean) => void): Guard {
  let guard: Ours | undefined;
  const lies = new Lies(liar);
  const codes = new Map<string, Code>();
  return (event: WorldEvent) => {
    const at = Date.parse(event.at);
    guard ??= new Ours({ origin: at });
    lies.tell(guard, at);
    if (event.op === 'confirm') {
      const code = codes.get(event.ref);
      if (code === undefined) return 'allow';
      if (event.ok) guard.confirmed({ ...code.ask, at });
      else guard.mismatched({ ...code.ask, at });
      code.isConfirmed ||= event.ok;
      return 'allow';
    }
    if (event.op !== 'verify') return 'allow';
    const { account, key, destination, client } = event;
    const country = readNumber(destination)?.country ?? destination.slice(0, 4);
    const ask: Ask = {
      at,
      account,
      key: `${account} ${key}`,
      number: destination,
      destination,
      country,
      network: client?.ip,
    };
    const judgement = guard.judge(ask);
    onAnswer(account, !judgement.allow);
    if (!judgement.allow) {
      guard.refused(ask, judgement);
      return 'refuse';
    }
    guard.written(guard.sent(ask, judgement));
    codes.set(event.ref, lies.sent(ask));
    return 'allow';
  };
}

function run(name: string, seed: number, liar: Liar) {
  const plan = scenarios.find((one) => one.name === name);
  assert.ok(plan, name);
  const asked = new Map<string, number>();
  const refused = new Map<string, number>();
  const count = (account: string, isRefused: boolean) => {
    asked.set(account, (asked.get(account) ?? 0) + 1);
    if (isRefused) refused.set(account, (refused.get(account) ?? 0) + 1);
  };
  const { attack } = judge(createLiars(liar, count), plan, seed);
  const letThrough = attack.spend === 0 ? 0 : attack.spendAllowed / attack.spend;
  const shareOf = (account: string) => (refused.get(account) ?? 0) / (asked.get(account) ?? 1);
  return { letThrough, shareOf, accounts: [...asked.keys()] };
}

suite('who calls everything good', () => {
  for (const [name, seed] of [
    ['adjacent', 1],
    ['inside', 1],
    ['thin', 1],
    ['faked-30', 1],
    ['published-morocco', 1],
  ] as const) {
    test(`${name} ${seed}: pays for hardly more of an attack than who says nothing`, () => {
      const [silent, liar] = [run(name, seed, () => undefined), run(name, seed, () => 'good')];
      assert.ok(liar.letThrough < silent.letThrough + 0.02, `${silent.letThrough} and ${liar.letThrough}`);
      assert.ok(liar.letThrough < 0.15, `${liar.letThrough}`);
    });
  }
});

suite('who calls everything fraud', () => {
  for (const [name, seed] of [
    ['everyday', 1],
    ['television-spot', 2],
  ] as const) {
    test(`${name} ${seed}: keeps nobody of another account from their code`, () => {
      const silent = run(name, seed, () => undefined);
      for (const liar of silent.accounts.slice(0, 3)) {
        const { shareOf } = run(name, seed, (account) => (account === liar ? 'fraud' : undefined));
        for (const other of silent.accounts) {
          const more = shareOf(other) - silent.shareOf(other);
          // People whom the liar sends nothing any more vouch for no range and no country either.
          if (other !== liar) assert.ok(more < 0.01, `${liar} lies, ${other}: ${more}`);
        }
      }
    });
  }
});
