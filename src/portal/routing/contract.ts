/** Carriers and routes as they are configured, and what would happen to a message. */
import Type, { type Static } from 'typebox';
import { TROUBLES } from '../../core/sending/carrier-state.ts';
import { Channel, Country, Id, Instant, OneOf, Optional } from '../../operations/contract.ts';

const Count = Type.Integer({ minimum: 0 });

const Reload = Type.Object({
  at: Instant,
  by: OneOf(['signal', 'command']),
  ok: Type.Boolean(),
  changed: Type.Array(Type.String(), { description: 'The options that changed, or would have.' }),
  wrong: Type.Array(Type.String(), { description: 'The options for which it was refused.' }),
});

const Carrier = Type.Object({
  name: Type.String(),
  type: Type.String(),
  channels: Type.Array(Channel),
  rate: Optional(Type.String({ description: 'Such as 50/1s.' })),
  concurrency: Optional(Type.Integer()),
  timeout_ms: Type.Integer(),
  breaker: Type.Object({ failures: Type.Integer(), reset_after_ms: Type.Integer() }),
  daily_cap: Optional(Type.Integer()),
  /** This account's messages, with live and test keys. */
  last_day: Type.Object({
    attempted: Count,
    submitted: Count,
    delivered: Count,
    undelivered: Count,
    confirmed: Count,
  }),
});

const Price = Optional(Type.Number({ description: 'Of one segment or call, in `currency`.' }));

const Leg = Type.Object({
  channel: Channel,
  after_ms: Optional(
    Type.Integer({ description: 'How long the channels before have to deliver; null: until they fail.' }),
  ),
  carriers: Type.Array(Type.String(), { description: 'None: those of the route of that channel.' }),
});

const Route = Type.Object({
  /** From 1, in the order of the configuration. Routes have no other name. */
  position: Type.Integer({ minimum: 1 }),
  channel: Channel,
  countries: Type.Array(Type.String()),
  prefixes: Type.Array(Type.String()),
  chooses: OneOf(['only', 'order', 'weights', 'quality']),
  daily_cap: Optional(Type.Integer()),
  simulated: Type.Boolean({ description: 'Whether live keys reach only the simulator.' }),
  carriers: Type.Array(
    Type.Object({
      name: Type.String(),
      /** Of 1: how often it comes first. */
      share: Optional(Type.Number()),
      lowest_price: Price,
      highest_price: Price,
    }),
  ),
  legs: Type.Array(Leg, { description: 'The channels that a message goes on by.' }),
});

export const RoutingView = Type.Object({
  currency: Type.String(),
  /** Of the node that answers; null if it has not happened since its start. */
  reload: Optional(Reload),
  carriers: Type.Array(Carrier),
  routes: Type.Array(Route),
});
export type RoutingView = Static<typeof RoutingView>;

/** GET .../countries: where the service can send, and what is stopped. What the account allows itself is in its settings. */
export const CountriesView = Type.Object({
  currency: Type.String(),
  /** Every country that has telephone numbers. */
  countries: Type.Array(
    Type.Object({
      country: Country,
      /** By the configuration of the service: `guard.countries`. */
      allowed: Type.Boolean(),
      channels: Type.Array(Channel, { description: 'For which a route takes its numbers, or some of them.' }),
      lowest_price: Price,
      highest_price: Price,
      /** Rules of the guard by which nothing is sent there. */
      stops: Type.Array(
        Type.Object({
          id: Id,
          of: OneOf(['service', 'account']),
          reason: Type.String(),
          ends_at: Optional(Instant),
        }),
      ),
    }),
  ),
});
export type CountriesView = Static<typeof CountriesView>;

export const Question = Type.Object({
  number: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'Where the code would go, such as +14155550123.',
  }),
  channel: Channel,
  key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The id of the live key that would ask; one that is in use.',
    }),
  ),
});
export type Question = Static<typeof Question>;

export const CHECKS = ['request', 'do-not-send', 'limits', 'guard', 'budgets', 'look-ups'] as const;
export type CheckName = (typeof CHECKS)[number];

const Check = Type.Object({
  name: OneOf(CHECKS),
  /** `unsure`: it depends on what else happens. */
  verdict: OneOf(['passes', 'refuses', 'unsure']),
  detail: Type.String(),
});

export const RouteAnswer = Type.Object({
  /** Masked. */
  number: Type.String(),
  country: Optional(Type.String()),
  channel: Channel,
  /** In the order in which they are made. After one that refuses, there may be fewer. */
  checks: Type.Array(Check),
  /** Null if no route takes it. */
  plan: Optional(
    Type.Object({
      /** The position of the route. */
      route: Type.Integer(),
      chooses: Type.String(),
      not_taken: Type.Array(Type.Object({ position: Type.Integer(), serves_another: Type.String() })),
      /** Null for a missed call. */
      text: Optional(
        Type.Object({
          sample: Type.String({ description: 'With dots in place of the code.' }),
          language: Type.String(),
          characters: Type.Integer(),
          encoding: Optional(Type.String()),
          segments: Optional(Type.Integer()),
        }),
      ),
      currency: Type.String(),
      carriers: Type.Array(
        Type.Object({
          name: Type.String(),
          why: Optional(Type.String()),
          speech: Optional(Type.String()),
          price: Price,
          daily_cap: Optional(Type.Integer()),
          /** Of all accounts together. */
          cap_reached: Type.Boolean(),
          breaker: OneOf(['closed', 'half-open', 'open', 'unknown']),
          trouble: Optional(OneOf(TROUBLES)),
          last_error: Optional(Type.String()),
        }),
      ),
      legs: Type.Array(Leg),
    }),
  ),
});
export type RouteAnswer = Static<typeof RouteAnswer>;
