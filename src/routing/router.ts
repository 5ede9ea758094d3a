/** Orders the carriers of a route for a message, and prices it. */
import type { TallyStore } from '../core/counting/tally.ts';
import type { OutgoingMessage } from '../core/sending/carrier.ts';
import { countUnits, type PriceList } from '../core/sending/prices.ts';
import type { Route } from '../core/sending/routing.ts';
import type { Random } from './beta.ts';
import { AS_EXPECTED, type Draw, drawByChance, orderCarriers, type RankedCarrier } from './order.ts';
import { Quality } from './quality.ts';

interface RouterParts {
  readonly tallies: TallyStore;
  readonly priceOf: PriceList;
  readonly random: Random;
}

export interface Router {
  readonly quality: Quality;
  /** Whether any route chooses by quality, so that learning is needed. */
  readonly learns: boolean;
  /** For one round of one message. */
  order(route: Route, country: string): readonly RankedCarrier[];
  /** The most likely order, the same each time until more is learnt. */
  explain(route: Route, country: string): RankedCarrier[];
  /** What a message costs at a carrier, in millionths of the currency; 0 for test keys, and where no price is known. */
  costOf(carrier: string, message: OutgoingMessage): number;
}

export function createRouter(routes: readonly Route[], { tallies, priceOf, random }: RouterParts): Router {
  const learning = routes.filter(({ choose }) => choose === 'quality');
  const quality = new Quality(
    tallies,
    learning.flatMap(({ carriers }) => carriers),
  );
  const byChance = drawByChance(random);
  /** Most routes leave nothing to chance: theirs is worked out once. */
  const fixed = new Map(
    routes
      .filter(({ choose, weights }) => choose === undefined && weights === undefined)
      .map((route) => [route, order(route, '', AS_EXPECTED)]),
  );

  function order(route: Route, country: string, draw: Draw): RankedCarrier[] {
    const belief = (carrier: string) => quality.belief(route.channel, country, carrier);
    return orderCarriers(route, { belief, price: (carrier) => priceOf(carrier, country) }, draw);
  }

  return {
    quality,
    learns: learning.length > 0,
    order: (route, country) => fixed.get(route) ?? order(route, country, byChance),
    explain: (route, country) => order(route, country, AS_EXPECTED),
    costOf(carrier, { test, channel, destination, text }) {
      const price = test ? undefined : priceOf(carrier, destination.country);
      return price === undefined ? 0 : price * countUnits(channel, text);
    },
  };
}
