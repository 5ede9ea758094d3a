/**
 * Shows that a change of the guard changes no decision: the same simulated weeks get the same digests, of all that two guards
 * answer, tell each other and keep. `node bench/guard/equal.ts [REQUESTS]`, before and after.
 */
import { BOUNDS, type Bounds } from '../../src/guard/parameters.ts';
import type { OperatorRule } from '../../src/guard/rules.ts';
import { Random } from '../../test/guard/world/random.ts';
import { Timeline } from '../../test/guard/world/timeline.ts';
import { Pair } from './pair.ts';
import { People, type Request, type Trouble } from './people.ts';

const START = Date.UTC(2026, 10, 2);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Sets are full, places and numbers make room, and codes are judged before their time. */
const SMALL: Bounds = { places: 2 ** 12, numbers: 2 ** 11, open: 2 ** 8 };

interface Week {
  readonly seed: number;
  readonly requests: number;
  readonly bounds: Bounds;
  readonly shares: boolean;
}

function play({ seed, requests, bounds, shares }: Week): Pair {
  const random = new Random(seed);
  const people = new People(random.fork());
  const pair = new Pair({ origin: START - 180 * DAY, bounds, shares }, random.fork());
  const later = new Timeline();
  const gap = WEEK / requests;
  let now = START;

  const ask = (request: Request): void => {
    const { node, isSent } = pair.request(request);
    if (!isSent) return;
    const typedAt = now + random.logNormal(15_000, 1.2);
    if (random.chance(request.mistypes)) later.plan(typedAt, () => pair.mismatched(request, node, now));
    if (!random.chance(request.confirms)) {
      if (random.chance(0.4)) later.plan(now + random.logNormal(60_000, 1), () => ask(again(request)));
      return;
    }
    later.plan(typedAt + 5_000, () => pair.confirmed(request, node, now));
  };
  const again = (request: Request): Request => ({ ...request, ask: { ...request.ask, at: now } });
  const tell = (): void => {
    pair.tell(now);
    later.plan(now + random.between(0.5, 1.5) * gap * 60, tell);
  };
  const rule = (): void => {
    pair.setRules(rulesFor(people.somebody(now), now, random));
    later.plan(now + random.exponential(8 * HOUR), rule);
  };
  const daily = (): void => {
    pair.look(now);
    if (random.chance(0.5)) pair.restart(now);
    later.plan(now + DAY, daily);
  };
  const trouble = (): void => {
    const make = random.pick([() => people.pumping(), () => people.bombing(), () => people.guessing()]);
    if (random.chance(0.1)) rage((at) => people.somebody(at), now + 4 * MINUTE, 20);
    else rage(make(), now + random.exponential(3 * HOUR), gap * random.scale(1, 40));
    later.plan(now + random.exponential(4 * HOUR), trouble);
  };
  const rage = (attack: Trouble, until: number, pause: number): void => {
    ask(attack(now));
    if (now < until) later.plan(now + random.exponential(pause), () => rage(attack, until, pause));
  };
  const somebody = (): void => {
    ask(people.somebody(now - (random.chance(0.01) ? 50 : 0)));
    const isQuiet = now % DAY < 2 * HOUR;
    later.plan(now + random.exponential(gap * (isQuiet ? 30 : 1.6)), somebody);
  };
  for (const begin of [somebody, tell, rule, daily, trouble]) begin();
  for (;;) {
    const task = later.take();
    if (task === undefined || task.at > START + WEEK) break;
    now = task.at;
    task.act();
  }
  pair.look(now);
  return pair;
}

function rulesFor({ ask }: Request, now: number, random: Random): OperatorRule[] {
  const reason = 'for the test';
  return [
    { action: 'deny', of: 'range', value: ask.destination.slice(0, -3), reason },
    { action: 'allow', of: 'number', value: ask.number, account: ask.account, reason },
    { action: 'pause', of: 'key', value: `${ask.account}/${ask.key}`, until: now + HOUR, reason },
    {
      action: 'allow',
      of: 'range',
      value: ask.destination.slice(0, random.whole(4, 7)),
      until: now + 2 * HOUR,
      reason,
    },
  ];
}

const requests = Number(process.argv[2] ?? 1_000_000);
const WEEKS: Readonly<Record<string, Week>> = {
  'two nodes': { seed: 1, requests, bounds: BOUNDS, shares: true },
  'two nodes, little memory': { seed: 2, requests: requests / 4, bounds: SMALL, shares: true },
  'nothing is told': { seed: 3, requests: requests / 4, bounds: BOUNDS, shares: false },
};
for (const [name, week] of Object.entries(WEEKS)) {
  const startedAt = performance.now();
  const pair = play(week);
  console.log([...pair.decided].map(([rule, times]) => `${rule} ${times}`).join(', '));
  console.log(`${pair.digest()}  ${name} (${((performance.now() - startedAt) / 1_000).toFixed(0)} s)`);
}
