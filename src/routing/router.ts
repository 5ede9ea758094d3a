/** Orders the carriers of a route for a message, and prices it. */
import type { TallyStore } from '../core/counting/tally.ts';
import type { OutgoingMessage } from '../core/sending/carrier.ts';
import { countUnits, type Priced, type PriceList } from '../core/sending/prices.ts';
import type { Route } from '../core/sending/routing.ts';
import type { UniformRandom } from './beta.ts';
import { AS_EXPECTED, type Draw, drawByChance, orderCarriers, type RankedCarrier } from './order.ts';
import { Quality } from './quality.ts';

interface RouterParts {
  readonly tallies: TallyStore;
  readonly priceOf: PriceList;
  readonly random: UniformRandom;
}

type PricedDestination = Priced['destination'];
/** For orders that depend on no destination. */
const ANYWHERE: PricedDestination = { address: '', country: '' };

export interface Router {
  readonly quality: Quality;
  /** Whether any route chooses by quality, so that learning is needed. */
  readonly learns: boolean;
  /** For one round of one message. */
  order(route: Route, destination: PricedDestination): readonly RankedCarrier[];
  /** The most likely order, the same each time until more is learnt. */
  explain(route: Route, destination: PricedDestination): RankedCarrier[];
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
      .map((route) => [route, order(route, ANYWHERE, AS_EXPECTED)]),
  );

  function order(route: Route, destination: PricedDestination, draw: Draw): RankedCarrier[] {
    const { channel } = route;
    const belief = (carrier: string) => quality.belief(channel, destination.country, carrier);
    const price = (carrier: string) => priceOf(carrier, { channel, destination });
    return orderCarriers(route, { belief, price }, draw);
  }

  return {
    quality,
    learns: learning.length > 0,
    order: (route, destination) => fixed.get(route) ?? order(route, destination, byChance),
    explain: (route, destination) => order(route, destination, AS_EXPECTED),
    costOf(carrier, message) {
      const price = message.test ? undefined : priceOf(carrier, message);
      return price === undefined ? 0 : price * countUnits(message.channel, message.text);
    },
  };
}
