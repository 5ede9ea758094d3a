/**
 * What the guard costs the event loop for each flow, with its upkeep as a service does it, when its memory holds half a million
 * numbers; and how much memory it takes. `node --expose-gc bench/guard/cost.ts [FLOWS A SECOND] [FLOWS BEFORE] [alone]`.
 */
import { createHash } from 'node:crypto';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import type { Records, Row, Step } from '../../src/core/sql/records.ts';
import type { Ask } from '../../src/guard/ask.ts';
import { Guard } from '../../src/guard/guard.ts';
import { MemoryKeeper } from '../../src/guard/live/memory-keeper.ts';
import { NUMBER } from '../../src/guard/parameters.ts';
import { Random } from '../../test/guard/world/random.ts';
import { median } from '../figures.ts';

const ROUND_MS = 900;
const MEASURED_ROUNDS = 100;
const TYPED_AFTER_MS = 15_000;
const COUNTRIES = [
  { country: 'DE', prefix: '+4915', digits: 9 },
  { country: 'FR', prefix: '+336', digits: 8 },
  { country: 'GB', prefix: '+447', digits: 9 },
  { country: 'US', prefix: '+1415', digits: 7 },
];

const CALLERS = Array.from(
  { length: 20 },
  (_, at) => [`0198c0de-0000-7000-8000-${at}`, `csk_${at}`] as const,
);

/** People: seven of ten are new, the others come back or ask again. They are made again from their place in the order. */
class Traffic {
  readonly #random = new Random(1);
  #people = 0;

  ask(at: number): Ask {
    const random = this.#random;
    if (this.#people < 1_000 || random.chance(0.7)) return person(this.#people++, at);
    const from = random.chance(0.3) ? this.#people - 1_000 : 0;
    return person(random.whole(from, this.#people - 1), at);
  }

  isConfirmed(): boolean {
    return this.#random.chance(0.8);
  }
}

function person(index: number, at: number): Ask {
  const random = new Random(index);
  const { country, prefix, digits } = random.pick(COUNTRIES);
  const destination = prefix + random.digits(digits);
  const number = createHash('sha256').update(destination).digest('base64url');
  const network = random.chance(0.8) ? `network ${random.whole(0, 50_000)}` : undefined;
  const [account, key] = random.pick(CALLERS);
  return { at, account, key, number, destination, country, network };
}

/** A store that takes what it gets. */
class Taken implements Records {
  readonly random = SYSTEM_RANDOM;
  readonly keysRevision = async () => 0;
  readonly #writtenAt = new Map<number, Row>();

  async transact(steps: readonly Step[]) {
    return {
      done: true as const,
      rows: steps.map((step) => ('sql' in step ? this.#rowsOf(step.sql, step.args) : [])),
    };
  }

  #rowsOf(sql: string, args: readonly (string | number | null)[]): Row[] {
    const [bucket = null, written_at = null] = args;
    if (sql.startsWith('INSERT INTO guard_memory')) {
      this.#writtenAt.set(Number(bucket), { bucket, written_at });
      return [{ bucket }];
    }
    if (sql.startsWith('SELECT bucket, written_at FROM')) return [...this.#writtenAt.values()];
    return sql.includes('counter') ? [{ value: 0 }] : [];
  }
}

const perSecond = Number(process.argv[2] ?? 1_000);
const before = Number(process.argv[3] ?? 500_000);

async function measure(shared: boolean): Promise<void> {
  const start = Date.UTC(2026, 10, 2);
  const atFirst = memory();
  const guard = new Guard({ origin: start - NUMBER.knownFor, shares: shared });
  const fresh = memory();
  let now = start;
  const keeper = new MemoryKeeper({
    ...{ guard, shared, now: () => now, clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM },
    records: new Taken(),
    log: (level, message, fields) => console.log(level, message, fields),
  });
  const traffic = new Traffic();
  const flows = Math.round((perSecond * ROUND_MS) / 1_000);
  const typed: { ask: Ask; dueAt: number }[] = [];
  const spent = { judge: 0, sent: 0, confirmed: 0, upkeep: 0, refused: 0, thread: 0, process: 0 };
  type Spent = typeof spent;
  const rounds: Spent[] = [];
  for (let done = 0; done < before || rounds.length < MEASURED_ROUNDS; done += flows) {
    const asks = Array.from({ length: flows }, (_, at) => traffic.ask(now + (at * ROUND_MS) / flows));
    const due = typed.findIndex(({ dueAt }) => dueAt > now + ROUND_MS);
    const confirmed = typed
      .splice(0, due < 0 ? typed.length : due)
      .map(({ ask, dueAt }) => ({ ...ask, at: dueAt }));
    const sum: Spent = { ...spent };
    const [thread, whole] = [process.threadCpuUsage(), process.cpuUsage()];
    let next = 0;
    let ask: Ask | undefined;
    for (ask of asks) {
      const begun = performance.now();
      for (; (confirmed[next]?.at ?? Number.POSITIVE_INFINITY) <= ask.at; next++) {
        const one = confirmed[next];
        if (one !== undefined) guard.confirmed(one);
      }
      const asked = performance.now();
      const judgement = guard.judge(ask);
      const judged = performance.now();
      if (judgement.allow) {
        guard.written(guard.sent(ask, judgement));
        if (traffic.isConfirmed()) typed.push({ ask, dueAt: ask.at + TYPED_AFTER_MS });
      } else {
        guard.refused(ask, judgement);
        sum.refused += 1;
      }
      const sent = performance.now();
      sum.confirmed += asked - begun;
      sum.judge += judged - asked;
      sum.sent += sent - judged;
    }
    for (const one of confirmed.slice(next)) guard.confirmed(one);
    now += ROUND_MS;
    const begun = performance.now();
    await keeper.takeRound();
    sum.upkeep = performance.now() - begun;
    const used = process.threadCpuUsage(thread);
    const all = process.cpuUsage(whole);
    sum.thread = (used.user + used.system) / 1_000;
    sum.process = (all.user + all.system) / 1_000;
    if (done >= before) rounds.push(sum);
  }
  const of = (read: (sum: Spent) => number) => ((1_000 * median(rounds.map(read))) / flows).toFixed(1);
  const parts = ['judge', 'sent', 'confirmed', 'upkeep'] as const;
  // Others use the machine, too: what was waited for them is left out.
  const all = (sum: Spent) => sum.judge + sum.sent + sum.confirmed + sum.upkeep;
  const figures = parts.map((part) => `${part} ${of((sum) => (sum[part] / all(sum)) * sum.thread)}`);
  figures.push(`all of it ${of((sum) => sum.thread)}`, `with other threads ${of((sum) => sum.process)}`);
  const refused = rounds.reduce((sum, one) => sum + one.refused, 0) / rounds.length / flows;
  console.log(`${shared ? 'several nodes' : 'one node'}: µs a flow: ${figures.join(', ')}`);
  console.log(`refused ${(100 * refused).toFixed(1)} %`);
  typed.splice(0);
  console.log(`memory at first ${atFirst}\n  a fresh guard ${fresh}\n  then ${memory()}`);
  guard.advance(now);
}

function memory(): string {
  globalThis.gc?.();
  const { rss, arrayBuffers, heapUsed } = process.memoryUsage();
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  return `${mb(rss)} MB resident, ${mb(arrayBuffers)} in buffers, ${mb(heapUsed)} on the heap`;
}

await measure(process.argv[4] !== 'alone');
