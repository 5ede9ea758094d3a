/** Explains what would happen to a message, and why, without sending it. */
import { type Channel, isMissedCall, isSegmented, isSpoken } from '../core/destination/channel.ts';
import type { Destination } from '../core/destination/destination.ts';
import type { ComposedMessage } from '../core/message/message.ts';
import { isGsm7 } from '../core/message/segments.ts';
import type { Spoken } from '../core/sending/carrier.ts';
import { type CarrierState, type CarrierTrouble, troubleOf } from '../core/sending/carrier-state.ts';
import type { FallbackStep } from '../core/sending/fallback-steps.ts';
import { countUnits, type PriceList } from '../core/sending/prices.ts';
import { findMisfits, type Misfit, type Route } from '../core/sending/routing.ts';
import type { RankedCarrier } from './order.ts';

export interface ExplanationFacts {
  readonly routes: readonly Route[];
  /** The one that serves the destination. */
  readonly route: Route;
  /** The channels that the message goes by after the first. */
  readonly steps: readonly FallbackStep[];
  readonly destination: Destination;
  /** The text, with a code of the configured length. */
  readonly message: ComposedMessage;
  /** Without carriers that are left out because they have no voice. */
  readonly order: readonly RankedCarrier[];
  readonly speechOf: (carrier: string) => Spoken;
  readonly currency: string;
  readonly priceOf: PriceList;
  readonly capOf: (carrier: string) => number | undefined;
  /** Live messages that each carrier took today (UTC). */
  readonly takenToday: ReadonlyMap<string, number>;
  readonly states: readonly CarrierState[];
  readonly now: number;
}

/** As printed with `--json`. Prices are in the currency, for the whole message. */
export interface RouteExplanation {
  readonly channel: Channel;
  readonly country: string;
  readonly route: { readonly index: number; readonly chooses: string; readonly daily_cap: number | null };
  /** The routes before it, and which property of the destination they do not serve. */
  readonly not_taken: readonly { readonly index: number; readonly serves_another: Misfit }[];
  /** Null for a missed call. */
  readonly text: {
    readonly language: string;
    readonly characters: number;
    /** Null where nothing counts segments. */
    readonly encoding: 'GSM-7' | 'UCS-2' | null;
    readonly segments: number | null;
  } | null;
  readonly currency: string;
  readonly carriers: readonly {
    readonly carrier: string;
    readonly why: string | null;
    /** How it would speak the language of the text; null for an SMS, and if that is known only during a call. */
    readonly speech: Exclude<Spoken, undefined> | null;
    readonly price: number | null;
    readonly daily_cap: number | null;
    readonly taken_today: number;
    /** As nodes reported within the last five minutes. */
    readonly breakers: readonly {
      readonly node: string;
      readonly state: string;
      /** Why the node cannot send with it. */
      readonly trouble: CarrierTrouble | null;
      readonly last_error: string | null;
    }[];
  }[];
  /** By which channels it goes on if those before do not reach. `after_ms`: how long they have to deliver; null: until they fail. */
  readonly legs: readonly {
    readonly channel: Channel;
    readonly after_ms: number | null;
    readonly carriers: readonly string[];
  }[];
}

const MILLION = 1_000_000;

export function explainRoute(facts: ExplanationFacts): RouteExplanation {
  const { routes, route, destination, message, currency } = facts;
  const { channel } = route;
  const units = countUnits(channel, message.text);
  const misfits = findMisfits(routes, channel, destination);
  return {
    channel,
    country: destination.country,
    route: {
      index: routes.indexOf(route),
      chooses: describeChoosing(route),
      daily_cap: route.dailyCap ?? null,
    },
    not_taken: misfits
      .slice(0, routes.indexOf(route))
      .flatMap((misfit, index) => (misfit === undefined ? [] : [{ index, serves_another: misfit }])),
    text: isMissedCall(channel)
      ? null
      : {
          language: message.locale,
          characters: [...message.text].length,
          encoding: isSegmented(channel) ? (isGsm7(message.text) ? 'GSM-7' : 'UCS-2') : null,
          segments: isSegmented(channel) ? units : null,
        },
    currency,
    carriers: facts.order.map(({ carrier, why }) => {
      const price = facts.priceOf(carrier, { channel, destination });
      return {
        carrier,
        why,
        speech: isSpoken(channel) ? (facts.speechOf(carrier) ?? null) : null,
        price: price === undefined ? null : (price * units) / MILLION,
        daily_cap: facts.capOf(carrier) ?? null,
        taken_today: facts.takenToday.get(carrier) ?? 0,
        breakers: facts.states
          .filter((state) => state.carrier === carrier)
          .map((state) => ({
            node: state.node,
            state: state.breaker,
            trouble: troubleOf(state, facts.now) ?? null,
            last_error: state.lastError?.reason ?? null,
          })),
      };
    }),
    legs: facts.steps.map(({ route: { channel: by, carriers }, after }) => {
      return { channel: by, after_ms: after ?? null, carriers };
    }),
  };
}

function describeChoosing({ carriers, choose, weights }: Route): string {
  if (carriers.length === 1) return 'the only carrier';
  return choose ?? (weights === undefined ? 'order' : 'weights');
}
