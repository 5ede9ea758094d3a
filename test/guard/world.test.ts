/** The world that guards are judged by is itself what it says it is. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseDestination } from '../../src/core/destination/destination.ts';
import { allowAll, askConversion, capNumbers } from './naive.ts';
import { type Guard, judge, judgeAll, writeJsonl } from './run.ts';
import type { WorldEvent } from './world/event.ts';
import type { ScenarioPlan } from './world/scenario.ts';
import { scenarios } from './world.ts';

function find(name: string): ScenarioPlan {
  const plan = scenarios.find((one) => one.name === name);
  assert.ok(plan, name);
  return plan;
}

/** All that a guard was shown, and how it ended. */
function watch(plan: ScenarioPlan, seed: number, guard: Guard) {
  const events: WorldEvent[] = [];
  const outcome = judge(
    (event) => {
      events.push(event);
      return guard(event);
    },
    plan,
    seed,
  );
  return { events, outcome };
}

/** The first events of a run in which everything is allowed. */
function begin(plan: ScenarioPlan, seed: number, count: number): WorldEvent[] {
  const scenario = plan.run(seed);
  const events: WorldEvent[] = [];
  while (events.length < count) {
    const event = scenario.next();
    if (event === undefined) break;
    events.push(event);
    if (event.op === 'verify') scenario.decided(event.ref, true);
  }
  return events;
}

function digest(events: readonly WorldEvent[]): string {
  return createHash('sha256').update(JSON.stringify(events)).digest('hex');
}

const refuseAll = (): Guard => () => 'refuse';

test('every scenario has its own name, and each seed its own events', () => {
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length);
  const digests = scenarios.flatMap((plan) => [1, 2].map((seed) => digest(begin(plan, seed, 50))));
  assert.equal(new Set(digests).size, 2 * scenarios.length);
});

test('the same seed shows the same events, to the same guard', () => {
  for (const [name, create] of [
    ['pumped-new-account', allowAll],
    ['guessed-campus', askConversion],
  ] as const) {
    const [one, other] = [1, 2].map(() => watch(find(name), 1, create()));
    assert.ok(one && other);
    assert.equal(digest(one.events), digest(other.events));
    assert.deepEqual(one.outcome, other.outcome);
  }
});

test('events come in order, about valid numbers, and answers only about what was allowed', () => {
  for (const name of ['busy-day', 'first-minute', 'three-attacks', 'published-voice']) {
    const plan = find(name);
    let last = '';
    const allowed = new Set<string>();
    let isNext = false;
    judge(
      (event) => {
        assert.ok(event.at >= last, `${event.at} after ${last}`);
        last = event.at;
        if (event.op !== 'verify') assert.ok(allowed.has(event.ref));
        else {
          const parsed = parseDestination(event.destination, event.channel);
          assert.ok(parsed.ok && parsed.destination.address === event.destination, event.destination);
        }
        isNext = !isNext;
        if (event.op === 'verify' && isNext) allowed.add(event.ref);
        return isNext ? 'allow' : 'refuse';
      },
      plan,
      1,
    );
  }
});

test('whoever allows everything refuses nobody and pays for everything; whoever refuses everything, the reverse', () => {
  for (const plan of ['launch', 'adjacent', 'bomb-many', 'everything'].map(find)) {
    const open = judge(allowAll(), plan, 2);
    assert.equal(open.honest.refused, 0);
    assert.equal(open.attack.spendAllowed, open.attack.spend);
    assert.equal(open.attack.requestsAllowed, open.attack.requests);
    assert.equal(open.attack.requests > 0, plan.kind !== 'honest');
    assert.ok(open.honest.persons > 500 && open.events > 2_000 && open.events < 200_000, `${open.events}`);

    const closed = judge(refuseAll(), plan, 2);
    assert.equal(closed.honest.refused, closed.honest.persons);
    assert.equal(closed.attack.spendAllowed, 0);
    // People who are refused do not change how many come.
    assert.equal(closed.honest.persons > 0.5 * open.honest.persons, true);
  }
});

test('nobody honest asks more often than the plain limit per number allows', () => {
  for (const name of ['outage', 'night-test', 'onboarding']) {
    const limit = capNumbers();
    let refused = 0;
    judge(
      (event) => {
        const answer = limit(event);
        if (answer === 'refuse') refused++;
        return answer;
      },
      find(name),
      1,
    );
    assert.equal(refused, 0, name);
  }
});

test('a person who is refused tries again within minutes, and some give up', () => {
  const tries = new Map<string, number[]>();
  judge(
    (event) => {
      if (event.op !== 'verify') return 'refuse';
      const earlier = tries.get(event.destination) ?? [];
      tries.set(event.destination, [...earlier, Date.parse(event.at)]);
      return 'refuse';
    },
    find('shared-address'),
    3,
  );
  const counts = [...tries.values()].map((times) => times.length);
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  assert.ok(mean > 2.5 && mean < 6, `${mean}`);
  assert.ok(counts.includes(1) && Math.max(...counts) <= 8);
  const gaps = [...tries.values()].flatMap((times) =>
    times.slice(1).map((at, rank) => at - (times[rank] ?? 0)),
  );
  // Two people may have the same number by chance, hours apart.
  const quick = gaps.filter((gap) => gap >= 3_000 && gap <= 240_000);
  assert.ok(quick.length > 0.99 * gaps.length, `${quick.length} of ${gaps.length}`);
});

test('a person whose second try is let through was not refused', () => {
  const seen = new Set<string>();
  const outcome = judge(
    (event) => {
      if (event.op !== 'verify') return 'allow';
      const isSecond = seen.has(event.destination);
      seen.add(event.destination);
      return isSecond ? 'allow' : 'refuse';
    },
    find('shared-address'),
    3,
  );
  const share = outcome.honest.refused / outcome.honest.persons;
  // Those who give up after the first refusal.
  assert.ok(share > 0.05 && share < 0.2, `${share}`);
});

/** What became of the persons (here: numbers) whose number begins so. */
function follow(events: readonly WorldEvent[], beginning: string) {
  const numbers = new Map<string, string>();
  const asked = new Map<string, number>();
  const confirmed = new Set<string>();
  for (const event of events) {
    if (event.op === 'verify' && event.destination.startsWith(beginning)) {
      numbers.set(event.ref, event.destination);
      asked.set(event.destination, (asked.get(event.destination) ?? 0) + 1);
    }
    const number = numbers.get(event.ref);
    if (event.op === 'confirm' && event.ok && number !== undefined) confirmed.add(number);
  }
  return { asked, confirmed, messages: numbers.size };
}

test('a poor country converts as poorly as was drawn', () => {
  for (const seed of [1, 2, 3]) {
    const { events, outcome } = watch(find('poor-country'), seed, allowAll());
    const drawn = Number(outcome.drawn.poorConversion);
    assert.ok(drawn >= 0.3 && drawn <= 0.4);
    const beginning = String(outcome.drawn.poorNumbers);
    const { asked, confirmed } = follow(events, beginning);
    const measured = confirmed.size / asked.size;
    const error = 4 * Math.sqrt((drawn * (1 - drawn)) / asked.size);
    assert.ok(asked.size > 100 && Math.abs(measured - drawn) < error + 0.02, `${measured}, drawn ${drawn}`);
  }
});

test('bots confirm the share that was drawn, and nobody confirms what nobody wanted', () => {
  const { events, outcome } = watch(find('published-uzbekistan'), 1, allowAll());
  const { messages, confirmed } = follow(events, '+99899394');
  assert.ok(messages >= 13_000 && messages < 13_100, `${messages}`);
  assert.ok(confirmed.size < 50);
  assert.equal(outcome.attack.requests, 13_000);

  const { outcome: confirming } = watch(find('confirming'), 1, allowAll());
  assert.ok(Number(confirming.drawn.confirmed1) >= 0.15 && Number(confirming.drawn.confirmed1) <= 0.35);
  const silent = watch(find('adjacent'), 1, allowAll());
  const loud = watch(find('confirming'), 1, allowAll());
  const confirms = (all: readonly WorldEvent[]) =>
    all.filter((event) => event.op === 'confirm' && event.ok).length;
  assert.ok(confirms(loud.events) > 0.1 * loud.outcome.attack.requests && silent.events.length > 0);
});

test('slow pumping is 5 to 10 % of the volume', () => {
  for (const seed of [1, 2]) {
    const plan = find('slow');
    const { attack, honest, drawn } = judge(allowAll(), plan, seed);
    const share = Number(drawn.slowShare);
    assert.ok(share >= 0.05 && share <= 0.1);
    // Of the days on which it runs; weekends and the hours around it are not the same everywhere.
    const whole = attack.requests / honest.persons;
    assert.ok(whole > 0.025 && whole < 0.15, `${whole}`);
  }
});

test('people ask again, and much more so when nothing arrives', () => {
  const plan = find('outage');
  const { events, outcome } = watch(plan, 2, allowAll());
  const { asked, messages } = follow(events, '+');
  const perPerson = messages / outcome.honest.persons;
  assert.ok(perPerson > 1.1 && perPerson < 1.6, `${perPerson}`);
  assert.ok(asked.size < outcome.honest.persons, 'some come back');
});

test('poor guards neither catch everything nor spare everybody', () => {
  const plans = ['thin', 'bomb-many', 'pumped-spot', 'launch'].map(find);
  const outcomes = plans.map((plan) => judge(askConversion(), plan, 1));
  const through = outcomes.reduce((sum, { attack }) => sum + attack.spendAllowed, 0);
  const spend = outcomes.reduce((sum, { attack }) => sum + attack.spend, 0);
  assert.ok(through > 0.15 * spend && through < 0.9 * spend);
  assert.ok(outcomes.some(({ honest }) => honest.refused > 0));
});

test('a run is written down line by line, and judged runs are printed with their totals', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guard-'));
  try {
    const file = join(folder, 'traffic.jsonl');
    writeJsonl(find('bomb-one'), 1, file);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const { events } = watch(find('bomb-one'), 1, allowAll());
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      events,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  const printed: string[] = [];
  judgeAll(allowAll, [find('bomb-one')], [1, 2], (line) => printed.push(line));
  assert.equal(printed.length, 3);
  for (const line of printed.slice(1)) assert.match(line, /100\.00 %.*0\.00 %/);
});
