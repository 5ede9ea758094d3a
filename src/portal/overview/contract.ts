/** The funnel: GET /portal/api/accounts/:account/overview, and overview.csv and overview/… with the same query. */
import Type, { type Static } from 'typebox';
import { TROUBLES } from '../../core/sending/carrier-state.ts';
import { Channel, Country, Id, Instant, OneOf, Optional } from '../../operations/contract.ts';

export const OverviewQuery = Type.Object({
  from: Instant,
  to: Instant,
  test: Type.Optional(OneOf(['true', 'false'], { default: 'false' })),
  channel: Type.Optional(Channel),
  country: Type.Optional(Country),
  carrier: Type.Optional(Id),
  key: Type.Optional(Id),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

/** Of requests, or of one carrier: that one starts with the attempts, because a request has no carrier. */
export const FunnelFigures = Type.Object({
  /** Null for one carrier, like `failed`. */
  requested: Optional(Type.Integer()),
  /** How often a message was offered to a carrier, accepted (`submitted`) or not. */
  attempted: Type.Integer(),
  submitted: Type.Integer(),
  /** As carriers reported; both are 0 for a carrier that sends no receipts. */
  delivered: Type.Integer(),
  undelivered: Type.Integer(),
  failed: Optional(Type.Integer()),
  confirmed: Type.Integer(),
  /** In the configured currency. */
  cost: Type.Number(),
});
export type FunnelFigures = Static<typeof FunnelFigures>;

/** Estimated from bins, in ms from the request; null without data. */
const Latency = Type.Object({ p50: Optional(Type.Number()), p95: Optional(Type.Number()) });

const Part = Type.Object({
  name: Type.String(),
  label: Type.String(),
  funnel: FunnelFigures,
  confirmed_ms: Latency,
});

const Point = Type.Object({ at: Instant, funnel: FunnelFigures });

/** GET /portal/api/accounts/:account/overview/total: what is read first, and quickly. */
export const OverviewTotal = Type.Object({
  currency: Type.String(),
  /** What is counted: the span asked for, widened to whole steps. */
  from: Instant,
  to: Instant,
  total: FunnelFigures,
  latency: Type.Object({ submitted: Latency, delivered: Latency, confirmed: Latency }),
  /** How many were confirmed within so many ms of the request, and after the bin before. Empty for one key. */
  confirmed_within: Type.Array(Type.Object({ ms: Optional(Type.Integer()), count: Type.Integer() })),
  /** Null for one carrier. */
  limits: Optional(
    Type.Object({
      by_key: Type.Integer(),
      by_destination: Type.Integer(),
      /** Wrong codes. */
      mismatched: Type.Integer(),
    }),
  ),
  /** Width of a step of `series` in seconds. The server chooses it for some 60 to 120 points, and up to a year for days. */
  step: Type.Integer(),
  /** Every step, the empty ones too. */
  series: Type.Array(Point),
  /** How many steps of `series` are over; the ones after them still count. */
  finished: Type.Integer(),
});
export type OverviewTotal = Static<typeof OverviewTotal>;

/** GET /portal/api/accounts/:account/overview/parts: of a year of a large account, they take the store a while. */
export const OverviewParts = Type.Object({
  countries: Type.Array(Part),
  carriers: Type.Array(Part),
  keys: Type.Array(Part),
  channels: Type.Array(Part),
  /** Each country with each carrier that was asked there. */
  cells: Type.Array(
    Type.Object({
      country: Type.String(),
      carrier: Type.String(),
      attempted: Type.Integer(),
      submitted: Type.Integer(),
      confirmed: Type.Integer(),
    }),
  ),
});
export type OverviewParts = Static<typeof OverviewParts>;

/** Both. */
export const Overview = Type.Object({ ...OverviewTotal.properties, ...OverviewParts.properties });
export type Overview = Static<typeof Overview>;

/**
 * GET /portal/api/accounts/:account/overview/earlier: as many steps before the span as are over in it. Null where counts
 * from then are kept in buckets wider than a step.
 */
export const EarlierOverview = Type.Object({
  earlier: Optional(
    Type.Object({
      from: Instant,
      /** Where the span of the overview begins. */
      to: Instant,
      total: FunnelFigures,
      series: Type.Array(Point),
    }),
  ),
});
export type EarlierOverview = Static<typeof EarlierOverview>;

const Changes = Type.Array(Type.Object({ name: Type.String(), now: Type.Integer(), before: Type.Integer() }));

/**
 * GET /portal/api/accounts/:account/overview/changes: what each part's funnel begins with, in the steps that are over and in as many
 * before. Null where that cannot be compared.
 */
export const OverviewChanges = Type.Object({
  changes: Optional(Type.Object({ countries: Changes, carriers: Changes, keys: Changes, channels: Changes })),
});
export type OverviewChanges = Static<typeof OverviewChanges>;

/** GET /portal/api/accounts/:account/overview/carriers: each carrier over time, with the overview's steps. */
export const CarrierCourses = Type.Object({
  step: Type.Integer(),
  starts: Type.Array(Instant),
  finished: Type.Integer(),
  /** Busiest first; one entry for each start. */
  carriers: Type.Array(
    Type.Object({
      name: Type.String(),
      attempted: Type.Array(Type.Integer()),
      submitted: Type.Array(Type.Integer()),
      confirmed: Type.Array(Type.Integer()),
    }),
  ),
});
export type CarrierCourses = Static<typeof CarrierCourses>;

/** GET /portal/api/accounts/:account/carriers: the state of the carriers. */
export const CarrierHealth = Type.Array(
  Type.Object({
    name: Type.String(),
    type: Type.String(),
    /** What the installation sees of the carrier, for all accounts. */
    installation: Type.Object({
      /** The worst state that any node sees. */
      breaker: OneOf(['closed', 'half-open', 'open', 'unknown']),
      /** Why a node cannot send with it: what says most. Null: all can. */
      trouble: Optional(OneOf(TROUBLES)),
      last_error: Optional(Type.Object({ reason: Type.String(), at: Instant })),
      unusable_receipts: Type.String({
        description: 'Receipts of the last hour that say nothing about a message, in words; empty: none.',
      }),
    }),
    /** The last hour of this account only, including traffic of test keys. */
    account: Type.Object({
      attempted: Type.Integer(),
      submitted: Type.Integer(),
      delivered: Type.Integer(),
      undelivered: Type.Integer(),
      confirmed: Type.Integer(),
      delivered_ms: Latency,
    }),
  }),
);
export type CarrierHealth = Static<typeof CarrierHealth>;
