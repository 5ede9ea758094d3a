/** What the guard did, under /portal/api/accounts/:account/guard: now, over time, line by line; and the operator's own rules. */
import Type, { type Static } from 'typebox';
import { GUARD_MODES } from '../../core/guarding/guard-mode.ts';
import { RULE_ACTIONS, RULE_SUBJECTS } from '../../core/guarding/guard-rule.ts';
import { LOOKED_UP } from '../../core/lookups/facts.ts';
import { PLACE_KINDS } from '../../guard/request-places.ts';
import { Channel, Country, Id, Instant, Name, OneOf, Optional } from '../../operations/contract.ts';

/** Where evidence lies, or what else refuses: a number, a rule of the operator, or what a look-up said. */
export const PLACES = [
  ...PLACE_KINDS,
  ...(['silent-number', 'operator-deny', 'operator-pause'] as const),
  ...LOOKED_UP,
] as const;

export const PlaceFilter = Type.Object({
  /** For `GET .../guard/evidence`. */
  name: Type.String(),
  kind: OneOf(PLACES),
  /** The beginning of numbers, a country, the name of a key; null where the kind says it all. */
  where: Optional(Type.String()),
});
export type PlaceFilter = Static<typeof PlaceFilter>;

/** GET .../guard */
export const GuardView = Type.Object({
  mode: Type.Object({
    /** Null: the service's. */
    account: Optional(OneOf(GUARD_MODES)),
    service: OneOf(GUARD_MODES),
  }),
  currency: Type.String(),
  /** A live key may bring its own codes. They are confirmed elsewhere, so the guard knows less about them. */
  brings: Type.Boolean(),
  /** Of the last day, by place and rule, the latest first; at most 50. */
  refused: Type.Array(
    Type.Object({
      place: PlaceFilter,
      rule: Type.String(),
      /** Of the newest refusal, in words and figures. */
      detail: Type.String(),
      hour: Type.Integer(),
      day: Type.Integer(),
      /** Or only recorded. */
      enforced: Type.Boolean(),
      last_at: Instant,
    }),
  ),
  /** There were more than these count: only so many lines a second of a flood are kept. `days` counts all. */
  more: Type.Boolean(),
  /** The days (UTC) of the last 30 on which something was refused, in order. */
  days: Type.Array(
    Type.Object({
      day: Instant,
      refused: Type.Integer(),
      /** Would have been, but was only recorded. */
      observed: Type.Integer(),
      /** What the refused messages would have cost at least. */
      saved: Type.Number(),
    }),
  ),
  /** Places where this account was refused and that are closed now, by the last minute's evidence. */
  closed: Type.Array(
    Type.Object({
      place: PlaceFilter,
      sent: Type.Number(),
      confirmed: Type.Number(),
      /** Single messages that tried it lately, and failed. */
      probes: Type.Integer(),
      next_probe_at: Optional(Instant),
    }),
  ),
  /** The latest 50. */
  events: Type.Array(
    Type.Object({
      at: Instant,
      name: OneOf(['guard.acting', 'guard.recovered', 'budget.reached']),
      /** Null for a budget. */
      place: Optional(PlaceFilter),
      budget: Optional(Type.String()),
      detail: Type.String(),
    }),
  ),
});
export type GuardView = Static<typeof GuardView>;

/** GET .../guard/refusals */
export const RefusalQuery = Type.Object({
  channel: Type.Optional(Channel),
  country: Type.Optional(Country),
  key: Type.Optional(Id),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  /** `next` of the previous page. */
  before: Type.Optional(Id),
});
export type RefusalQuery = Static<typeof RefusalQuery>;

export const RefusalPage = Type.Object({
  /** Newest first, 50 at a time. */
  refusals: Type.Array(
    Type.Object({
      id: Id,
      at: Instant,
      /** Only the range that it is in. */
      number: Type.String(),
      country: Type.String(),
      channel: Channel,
      key: Type.Object({ id: Id, name: Name }),
      rule: Type.String(),
      detail: Type.String(),
      enforced: Type.Boolean(),
    }),
  ),
  next: Optional(Type.String()),
});
export type RefusalPage = Static<typeof RefusalPage>;

/** GET .../guard/evidence */
export const EvidenceQuery = Type.Object({
  /** The `name` of a place. */
  place: Type.String({ minLength: 1, maxLength: 200 }),
});
export type EvidenceQuery = Static<typeof EvidenceQuery>;

/** Of the last day, in steps of five minutes. Nothing, if this account was never refused there. */
export const Evidence = Type.Array(
  Type.Object({
    at: Instant,
    sent: Type.Number(),
    confirmed: Type.Number(),
    /** The natural logarithm of the odds that it is an attack, and at which the place closes. */
    odds: Type.Number(),
    closes_at: Type.Number(),
    closed: Type.Boolean(),
    probes: Type.Integer(),
  }),
);
export type Evidence = Static<typeof Evidence>;

/** POST .../guard/backtest: what is tried. Nothing is saved. */
export const Backtest = Type.Object({
  /** `observe`: what would be refused is counted, and the guard learns from it as if it had been sent. */
  mode: OneOf(['enforce', 'observe']),
  days: Type.Integer({ minimum: 1, maximum: 30 }),
  /** In addition to the rules in effect. */
  rule: Type.Optional(
    Type.Object({
      action: OneOf(['allow', 'deny']),
      subject: OneOf(['range']),
      /** The beginning of numbers. */
      value: Type.String({ minLength: 1, maxLength: 300 }),
    }),
  ),
});
export type Backtest = Static<typeof Backtest>;

const BacktestFigures = {
  requests: Type.Integer(),
  refused: Type.Integer(),
  /** What all requests cost, and what those cost that would have been refused. */
  spent: Type.Number(),
  saved: Type.Number(),
  /** People who confirmed, and those of them whom the guard would have turned away. */
  confirmed: Type.Integer(),
  turned_away: Type.Integer(),
};

export const BacktestAnswer = Type.Object({
  /** The times of the first and the last request; null if there was none. */
  from: Optional(Instant),
  to: Optional(Instant),
  currency: Type.String(),
  /** There was more than is tried at once: these are the oldest. */
  cut: Type.Boolean(),
  /** Requests left out, because no secret opens their number any more. */
  skipped: Type.Integer(),
  whole: Type.Object(BacktestFigures),
  /** The most saved first, as the rules; at most 20. */
  countries: Type.Array(Type.Object({ country: Type.String(), ...BacktestFigures })),
  rules: Type.Array(
    Type.Object({
      rule: Type.String(),
      refused: BacktestFigures.refused,
      saved: BacktestFigures.saved,
      turned_away: BacktestFigures.turned_away,
    }),
  ),
});
export type BacktestAnswer = Static<typeof BacktestAnswer>;

/** GET .../guard/rules: the account's own rules, newest first. */
export const GuardRules = Type.Array(
  Type.Object({
    id: Id,
    action: OneOf(RULE_ACTIONS),
    subject: OneOf(RULE_SUBJECTS),
    /** A number masked, an account and a key by their names. */
    value: Type.String(),
    ends_at: Optional(Instant),
    reason: Type.String(),
    made_by: Type.String(),
    created_at: Instant,
  }),
);
export type GuardRules = Static<typeof GuardRules>;

/** POST .../guard/rules: a full number is sent in the body and never in a URL. */
export const GuardRuleRequest = Type.Object({
  action: OneOf(RULE_ACTIONS),
  subject: OneOf(RULE_SUBJECTS),
  /** The beginning of numbers, a number, the id of this account or of a key, an IP address. */
  value: Type.String({ minLength: 1, maxLength: 300 }),
  /** Null: until it is lifted. A pause needs one. */
  ends_at: Optional(Instant),
  reason: Type.String({ minLength: 1, maxLength: 200 }),
});
export type GuardRuleRequest = Static<typeof GuardRuleRequest>;
