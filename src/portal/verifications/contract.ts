/** What happened to each code. */
import Type, { type Static } from 'typebox';
import { VERDICTS } from '../../core/guarding/verdict.ts';
import { ATTEMPT_RESULTS } from '../../core/verification/reading/archive.ts';
import { Channel, Country, Id, Instant, Name, OneOf, Optional } from '../../operations/contract.ts';

export const Status = OneOf(['pending', 'confirmed', 'expired', 'undelivered', 'failed', 'locked'], {
  description:
    '`failed`: no carrier took the message. `undelivered`: a carrier took it and reported that it did not arrive. After either, nothing more is tried. `locked`: all guesses are used up. `expired`: it was neither confirmed nor failed in time.',
});
export type Status = Static<typeof Status>;

export const AttemptResult = OneOf(ATTEMPT_RESULTS, {
  description:
    'What became of an attempt: of that of `carrier`, if that is given. `accepted`: the carrier took the message. Then it was reported `delivered` or `undelivered`, or is `unreported` yet. `refused`: the carrier did not take it. `carried`: it delivered the code, or else took it last; a confirmation counts for it.',
});
export type AttemptResult = Static<typeof AttemptResult>;

const which = {
  status: Type.Optional(Status),
  channel: Type.Optional(Channel),
  country: Type.Optional(Country),
  carrier: Type.Optional({
    ...Id,
    description: 'Any carrier that was asked, whether or not it took the message.',
  }),
  attempt: Type.Optional(AttemptResult),
  key: Type.Optional(Id),
  counted: Type.Optional(
    OneOf(['true'], {
      description:
        'Only what the figures of the overview count: no tests of carriers, and no codes that a client brought and did not have confirmed here.',
    }),
  ),
  test: Type.Optional(OneOf(['true', 'false'])),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};
/** Of GET .../verifications.csv. */
export const ExportFilters = Type.Object(which);
export type ExportFilters = Static<typeof ExportFilters>;

/** The filters of GET /portal/api/accounts/:account/verifications, and of the search below. */
const filters = {
  ...which,
  /** `next` of the previous page. */
  before: Type.Optional(Type.String({ maxLength: 128 })),
};
export const Filters = Type.Object(filters);
export type Filters = Static<typeof Filters>;

/** POST .../verifications/search: by id or full number, which is sent in the body and never in a URL. */
export const Search = Type.Object({ ...filters, query: Type.String({ minLength: 1, maxLength: 300 }) });
export type Search = Static<typeof Search>;

export const Verification = Type.Object({
  id: Id,
  /** Masked, except for the country code and the last two digits. */
  destination: Type.String(),
  channel: Channel,
  country: Type.String(),
  test: Type.Boolean(),
  status: Status,
  /** The one that delivered it, or else the last that accepted it. */
  carrier: Optional(Type.String()),
  carriers_asked: Type.Array(Type.String(), {
    description: 'Every carrier that was asked, in the order in which each was asked first.',
  }),
  key: Type.Object({ id: Id, name: Name }),
  requested_at: Instant,
  confirmed_at: Optional(Instant),
});
export type Verification = Static<typeof Verification>;

/** Newest first, 50 at a time. A filter with few matches is searched in steps; `searched_to` says how far back. */
export const VerificationPage = Type.Object({
  verifications: Type.Array(Verification),
  next: Optional(Type.String()),
  searched_to: Instant,
});
export type VerificationPage = Static<typeof VerificationPage>;

/** GET .../verifications/count: how many match, as far back as there was time to look. */
export const VerificationCount = Type.Object({
  count: Type.Integer(),
  searched_to: Optional(Instant),
});
export type VerificationCount = Static<typeof VerificationCount>;

/** What the account said that it was, and when. */
export const SaidVerdict = Type.Object({ verdict: OneOf(VERDICTS), at: Instant });

/** GET .../verifications/:id */
export const VerificationDetail = Type.Object({
  verification: Verification,
  expires_at: Instant,
  guesses_left: Type.Integer(),
  guesses_used: Type.Integer(),
  /** What the account said that it was. */
  verdict: Optional(SaidVerdict),
  /** What the application keeps with it; empty if nothing. */
  metadata: Type.Record(Type.String(), Type.String()),
  /** Of the person's device, while it is kept. */
  device: Type.Object({
    platform: Optional(Type.String()),
    app_version: Optional(Type.String()),
    /** The network of its address, cut. */
    network: Optional(Type.String()),
  }),
  attempts: Type.Array(
    Type.Object({
      carrier: Type.String(),
      /** Another than that of the verification if the message went on by it. */
      channel: Channel,
      /** Why this carrier was chosen. */
      choice: Optional(Type.String()),
      started_at: Instant,
      ms: Type.Integer(),
      outcome: OneOf(['accepted', 'delivered', 'temporary', 'permanent']),
      reason: Optional(Type.String()),
      /** In the configured currency: as the receipt says, otherwise at the configured price. */
      cost: Type.Number(),
      receipt: Optional(
        Type.Object({
          status: OneOf(['delivered', 'undelivered']),
          reason: Optional(Type.String()),
          at: Instant,
          /** What the carrier says that it charges. */
          price: Optional(Type.Object({ amount: Type.Number(), currency: Type.String() })),
          /** The mobile network of the telephone: MCC and MNC, in one. */
          network: Optional(Type.String()),
        }),
      ),
    }),
  ),
});
export type VerificationDetail = Static<typeof VerificationDetail>;

/** POST .../verifications/:id/feedback, for owners and developers. Null takes back what was said. */
export const VerdictChoice = Type.Object({ verdict: Optional(OneOf(VERDICTS)) });
export type VerdictChoice = Static<typeof VerdictChoice>;

/** POST .../verifications/:id/reveal: for owners only, and recorded in the audit log. */
export const Revealed = Type.Object({ destination: Type.String() });
export type Revealed = Static<typeof Revealed>;
