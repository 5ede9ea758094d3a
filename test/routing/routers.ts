/** The service's own router, and simpler ones for comparison. */
import type { Route } from '../../src/core/sending/routing.ts';
import { drawBeta, type UniformRandom } from '../../src/routing/beta.ts';
import { drawByChance, orderCarriers } from '../../src/routing/order.ts';
import { Quality } from '../../src/routing/quality.ts';
import type { Counts, Router } from './world.ts';

const MINUTE = 60_000;

export type RouterMaker = (
  names: readonly [string, ...string[]],
  random: UniformRandom,
) => (counts: Counts) => Router;

export const ours: RouterMaker = (carriers, random) => (counts) => {
  const quality = new Quality(counts, carriers);
  const route: Route = { channel: 'sms', carriers, choose: 'quality' };
  const belief = (carrier: string) => quality.belief('sms', 'DE', carrier);
  const draw = drawByChance(random);
  return {
    learn: (now) => quality.learn(now),
    choose: () => orderCarriers(route, { belief, price: () => undefined }, draw)[0]?.carrier ?? carriers[0],
  };
};

interface Seen {
  readonly name: string;
  readonly sent: number;
  readonly confirmed: number;
}

/** Scores each carrier by the raw confirmations of the last quarter of an hour. */
function scoring(
  score: (seen: Seen, all: readonly Seen[], random: UniformRandom) => number,
  explore = 0,
): RouterMaker {
  return (names, random) => (counts) => {
    let seen: Seen[] = [];
    return {
      async learn(now) {
        const cohorts = counts.within({ from: now - 15 * MINUTE, to: now });
        seen = names.map((name) => {
          const own = cohorts.filter(({ carrier }) => carrier === name);
          const sent = own.reduce((sum, { submitted }) => sum + submitted, 0);
          return { name, sent, confirmed: own.reduce((sum, { confirmed }) => sum + confirmed, 0) };
        });
      },
      choose() {
        if (random() < explore) return names[Math.floor(random() * names.length)] ?? names[0];
        const scores = seen.map((each) => score(each, seen, random));
        return seen[scores.indexOf(Math.max(...scores))]?.name ?? names[0];
      },
    };
  };
}

/** One in ten goes anywhere, the others to the carrier with the most confirmations. */
export const epsilonGreedy = scoring(
  ({ sent, confirmed }, _all, random) => (confirmed + 1) / (sent + 1) + random() * 1e-9,
  0.1,
);

/** UCB1 (Auer, Cesa-Bianchi and Fischer, 2002). */
export const upperConfidence = scoring(({ sent, confirmed }, all) => {
  if (sent === 0) return Number.POSITIVE_INFINITY;
  const total = all.reduce((sum, each) => sum + each.sent, 0);
  return confirmed / sent + Math.sqrt((2 * Math.log(total)) / sent);
});

/** Thompson sampling that counts codes not confirmed yet as failures. */
export const uncorrected = scoring(({ sent, confirmed }, _all, random) =>
  drawBeta(confirmed + 1, sent - confirmed + 1, random),
);
