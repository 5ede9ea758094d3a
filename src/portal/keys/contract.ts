/** API keys: GET and POST /portal/api/accounts/:account/keys. Owners and developers can change them, viewers can look. */
import Type, { type Static } from 'typebox';
import { Channel, Country, Cursor, Id, Instant, Name, OneOf, Optional } from '../../operations/contract.ts';
import { CHANNEL_NAMES } from '../channel.ts';

/** What a key may be used for. An empty list sets no limit. */
export const Restrictions = Type.Object({
  channels: Type.Array(Channel, { maxItems: CHANNEL_NAMES.length }),
  countries: Type.Array(Country, { maxItems: 250 }),
  /** IP addresses and networks such as 192.0.2.0/24 that requests must come from. */
  sources: Type.Array(Type.String({ minLength: 2, maxLength: 50 }), { maxItems: 50 }),
});
export type Restrictions = Static<typeof Restrictions>;

export const Key = Type.Object({
  id: Id,
  name: Name,
  test: Type.Boolean(),
  /** Its visible part: enough to recognise it, useless to a thief. */
  prefix: Type.String(),
  created_at: Instant,
  created_by: Optional(Type.String()),
  last_used_at: Optional(Instant),
  last_used_from: Optional(Type.String()),
  expires_at: Optional(Instant),
  revoked_at: Optional(Instant),
  restrictions: Restrictions,
  /** Whether requests with it may bring codes of their own. Test keys always may. */
  custom_codes: Type.Boolean(),
  /** The key that replaced this one; until `expires_at` both work. */
  replaced_by: Optional(Id),
  status: OneOf(['active', 'overlap', 'expired', 'revoked']),
});
export type Key = Static<typeof Key>;
export const Keys = Type.Array(Key);

const State = OneOf(['in-use', 'ended'], { description: '`ended`: revoked or expired.' });

/** POST .../keys/search: newest first, 50 at a time. What people type may be a key, so it is sent in the body. */
export const KeySearch = Type.Object({
  id: Type.Optional(Id),
  /** A part of the name, of the prefix or of who made it. */
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  state: Type.Optional(State),
  test: Type.Optional(Type.Boolean()),
  before: Type.Optional(Cursor),
});
export type KeySearch = Static<typeof KeySearch>;
export const KeyPage = Type.Object({
  keys: Keys,
  next: Optional(Type.String()),
  /** How many match in all; null on further pages, and for a text. */
  count: Optional(Type.Integer()),
});
export type KeyPage = Static<typeof KeyPage>;

/** GET .../keys.csv */
export const KeyFilters = Type.Object({
  state: Type.Optional(State),
  test: Type.Optional(OneOf(['true', 'false'])),
});
export type KeyFilters = Static<typeof KeyFilters>;

export const NewKey = Type.Object({
  name: Name,
  test: Type.Boolean(),
  expires_at: Optional(Instant),
  restrictions: Restrictions,
  /** For owners. */
  custom_codes: Type.Optional(Type.Boolean()),
});
export type NewKey = Static<typeof NewKey>;

/** The only time that the key itself is shown. */
export const CreatedKey = Type.Object({ key: Key, secret: Type.String() });
export type CreatedKey = Static<typeof CreatedKey>;

/** PATCH .../keys/:id */
export const KeyChange = Type.Object({
  name: Type.Optional(Name),
  expires_at: Type.Optional(Optional(Instant)),
  restrictions: Type.Optional(Restrictions),
  /** Only owners can allow it. */
  custom_codes: Type.Optional(Type.Boolean()),
});
export type KeyChange = Static<typeof KeyChange>;

/**
 * POST .../keys/:id/rotate answers a CreatedKey with the same limits; the old key works for so many more minutes.
 * POST .../keys/:id/revoke ends a key within a second, also during its overlap, and answers the Key.
 */
export const Rotation = Type.Object({ overlap_minutes: Type.Integer({ minimum: 0, maximum: 43_200 }) });
export type Rotation = Static<typeof Rotation>;
