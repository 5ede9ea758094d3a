/** Alerts: GET /portal/api/accounts/:account/alerts. Owners change the webhook, viewers can look. */
import Type, { type Static } from 'typebox';
import { RULE_NAMES } from '../../core/alerts/rule.ts';
import { Cursor, Id, Instant, OneOf, Optional } from '../../operations/contract.ts';

const RuleField = OneOf(RULE_NAMES);

const Told = Type.Object({
  channel: OneOf(['email', 'webhook']),
  /** The name of a member; null for a webhook, and for places that the configuration names. */
  name: Optional(Type.String()),
  /** Whether it went to a place that the configuration names. */
  installation: Type.Boolean(),
  kind: OneOf(['firing', 'reminder', 'recovered', 'test']),
  sent_at: Optional(Instant),
  /** Whether it will be tried again. */
  waits: Type.Boolean(),
  /** What came back at the last try that failed, for people. */
  answer: Optional(Type.String()),
});

export const AlertView = Type.Object({
  id: Id,
  rule: RuleField,
  title: Type.String(),
  /** Whether it concerns the whole installation. */
  installation: Type.Boolean(),
  /** What it is about within the rule. */
  subject: Type.String(),
  detail: Type.String(),
  /** The page that explains it, below that of the account. */
  place: Type.String(),
  firing_since: Instant,
  over_at: Optional(Instant),
  told: Type.Array(Told),
});
export type AlertView = Static<typeof AlertView>;

const Rule = Type.Object({
  name: RuleField,
  title: Type.String(),
  /** When it fires, with its threshold. */
  means: Type.String(),
  /** Whether it is about the whole installation. */
  installation: Type.Boolean(),
  on: Type.Boolean(),
});
export type Rule = Static<typeof Rule>;

const Last = Optional(
  Type.Object({
    /** Null if it was not taken. */
    sent_at: Optional(Instant),
    tried_at: Instant,
    answer: Optional(Type.String()),
  }),
);

const Channels = Type.Object({
  email: Type.Object({
    /** Whether the service can send mail. */
    possible: Type.Boolean(),
    /** Whether the person who asks gets it. */
    mine: Type.Boolean(),
    last: Last,
    /** The names of the members who get it. */
    members: Type.Array(Type.String()),
  }),
  webhook: Optional(
    Type.Object({
      /** The address is a secret; this is its host. */
      host: Type.String(),
      added_by: Type.String(),
      added_at: Instant,
      last: Last,
    }),
  ),
  /** How many places the configuration names. */
  installation: Type.Integer(),
});
export type Channels = Static<typeof Channels>;

export const AlertsView = Type.Object({
  firing: Type.Array(AlertView),
  rules: Type.Array(Rule),
  channels: Channels,
});
export type AlertsView = Static<typeof AlertsView>;

/** GET .../alerts/history: what fired in the last 90 days and is over, newest first, 20 at a time. */
export const AlertHistoryQuery = Type.Object({
  before: Type.Optional(Cursor),
});

export const AlertHistory = Type.Object({ alerts: Type.Array(AlertView), next: Optional(Type.String()) });
export type AlertHistory = Static<typeof AlertHistory>;

export const AlertCount = Type.Object({ firing: Type.Integer() });
export type AlertCount = Static<typeof AlertCount>;

/** PUT .../alerts/webhook */
export const NewAlertWebhook = Type.Object({ url: Type.String({ minLength: 1, maxLength: 2_000 }) });
export type NewAlertWebhook = Static<typeof NewAlertWebhook>;

/** What signs messages to the webhook; shown once. */
export const AlertWebhookSecret = Type.Object({ secret: Type.String() });
export type AlertWebhookSecret = Static<typeof AlertWebhookSecret>;

/** POST .../alerts/email/test and .../alerts/webhook/test */
export const TestAnswer = Type.Object({
  sent: Type.Boolean(),
  /** What came back if it was not, for people. */
  answer: Optional(Type.String()),
});
export type TestAnswer = Static<typeof TestAnswer>;
