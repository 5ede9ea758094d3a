/** Webhooks: GET and POST /portal/api/accounts/:account/webhooks. Owners and developers change them, viewers can look. */
import Type, { type Static } from 'typebox';
import { EVENT_TYPES, TEST_TYPE } from '../../core/events/event.ts';
import { Id, Instant, OneOf, Optional } from '../../operations/contract.ts';
import { Version } from '../../operations/version.ts';

const Url = Type.String({ minLength: 1, maxLength: 2_000 });
const Types = Type.Array(OneOf(EVENT_TYPES), { maxItems: EVENT_TYPES.length });

export const WebhookView = Type.Object({
  id: Id,
  url: Type.String(),
  /** Empty: all types, and those of later versions. */
  types: Types,
  /** Whether it gets whole numbers instead of masked ones. */
  full_numbers: Type.Boolean(),
  created_at: Instant,
  state: OneOf(['unused', 'works', 'failing', 'disabled'], {
    description: '`failing`: nothing but failures since `failing_since`.',
  }),
  failing_since: Optional(Instant),
  last_success_at: Optional(Instant),
  last_failure_at: Optional(Instant),
  /** For people, such as `HTTP 500`. */
  last_failure: Optional(Type.String()),
  disabled_at: Optional(Instant),
  disabled_why: Optional(
    OneOf(['gone', 'failing', 'by-hand'], {
      description: '`gone`: it answered 410. `failing`: five days of nothing but failures.',
    }),
  ),
  /** Until then the secret before the last rotation signs, too. */
  previous_secret_until: Optional(Instant),
  /** Of what can be changed about it. */
  version: Version,
});
export type WebhookView = Static<typeof WebhookView>;
export const Webhooks = Type.Array(WebhookView);

export const NewWebhook = Type.Object({
  url: Url,
  types: Types,
  /** For owners. */
  full_numbers: Type.Optional(Type.Boolean()),
});
export type NewWebhook = Static<typeof NewWebhook>;

/** PATCH .../webhooks/:id. Only owners can let it have full numbers, or change the address of one that has. */
export const WebhookChangeRequest = Type.Object({
  url: Type.Optional(Url),
  types: Type.Optional(Types),
  full_numbers: Type.Optional(Type.Boolean()),
  /** With the version that was read, nothing is replaced that somebody else changed since. */
  version: Type.Optional(Version),
});
export type WebhookChangeRequest = Static<typeof WebhookChangeRequest>;

/** What POST .../webhooks, .../:id/rotate and .../:id/reveal answer. */
export const WebhookSecret = Type.Object({ webhook: WebhookView, secret: Type.String() });
export type WebhookSecret = Static<typeof WebhookSecret>;

/** POST .../:id/test */
export const TestMessage = Type.Object({ message: Id });
export type TestMessage = Static<typeof TestMessage>;

export const Message = Type.Object({
  /** `webhook-id` at every try. */
  id: Id,
  type: OneOf([...EVENT_TYPES, TEST_TYPE]),
  at: Instant,
  state: OneOf(['waiting', 'sent', 'given-up']),
  tries: Type.Integer(),
  last_try_at: Optional(Instant),
  /** What came back at the last try, for people: `HTTP 200`, `no answer within 15 s`. */
  last_answer: Optional(Type.String()),
  /** Null if it is not tried again, or at once. */
  next_try_at: Optional(Instant),
  sent_at: Optional(Instant),
});
export type Message = Static<typeof Message>;

/** GET .../:id/messages */
export const MessagesQuery = Type.Object({
  /** `next` of the previous page. */
  before: Type.Optional(Type.String({ maxLength: 64 })),
});
export type MessagesQuery = Static<typeof MessagesQuery>;

export const WebhookMessagePage = Type.Object({
  /** Newest first, 50 at a time. */
  messages: Type.Array(Message),
  next: Optional(Type.String()),
});
export type WebhookMessagePage = Static<typeof WebhookMessagePage>;

/** GET .../:id/messages/:message */
export const MessageDetail = Type.Object({
  message: Message,
  /** The tries that failed, in order; none of those before it was sent again. */
  failures: Type.Array(Type.Object({ at: Instant, answer: Type.String() })),
  /** What is sent, as JSON; the number masked here, whatever the endpoint gets. Null if it was erased. */
  body: Optional(Type.String()),
});
export type MessageDetail = Static<typeof MessageDetail>;

/** POST .../:id/replay: the messages of this time span are sent again. */
export const ReplayRequest = Type.Object({
  /** By the times of the events; `to` is exclusive. */
  from: Instant,
  to: Instant,
  /** Also those that the endpoint took; otherwise only those that were given up. */
  also_taken: Type.Boolean(),
});
export type ReplayRequest = Static<typeof ReplayRequest>;

export const Replayed = Type.Object({ messages: Type.Integer() });
export type Replayed = Static<typeof Replayed>;
