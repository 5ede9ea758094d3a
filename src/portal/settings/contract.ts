/** GET and PUT /portal/api/accounts/:account/settings: an account's own settings; null means the service's default. */
import Type, { type Static } from 'typebox';
import { BUDGET_PATTERN } from '../../core/budgets/notation.ts';
import { GUARD_MODES } from '../../core/guarding/guard-mode.ts';
import { FACTS, LINE_TYPES, MOST_HOURS } from '../../core/lookups/facts.ts';
import { Channel, Country, Name, nameUpTo, OneOf, Optional } from '../../operations/contract.ts';
import { Version } from '../../operations/version.ts';

const Rates = Type.Array(
  Type.String({
    pattern: '^[1-9][0-9]{0,8}/[1-9][0-9]{0,5}(s|m|h|d)$',
    description: 'A rate such as 5/10m.',
  }),
  { minItems: 1, maxItems: 5 },
);

const Budgets = Type.Array(
  Type.String({
    pattern: BUDGET_PATTERN,
    description: 'A budget such as account 50 per day, or key 100 messages per hour.',
  }),
  { minItems: 1, maxItems: 10 },
);

const Hours = Type.Optional(Optional(Type.Integer({ minimum: 1, maximum: MOST_HOURS })));

/** What a number may not be, by what look-ups say of it before a code is sent (docs/lookups.md). What is left out is not looked at. */
const Refuse = Type.Object({
  /** Its SIM was swapped within so many hours. Null: whatever happened to it. */
  swapped_within_hours: Hours,
  /** It went to another carrier within so many hours. Null: whichever it came from. */
  ported_within_hours: Hours,
  line_types: Type.Optional(Type.Array(OneOf(LINE_TYPES), { maxItems: LINE_TYPES.length })),
  /** It went to another subscriber since the account last confirmed it. */
  recycled: Type.Optional(Type.Boolean()),
});

export const Settings = Type.Object({
  name: Name,
  brand: Optional(nameUpTo(40)),
  /** One language for all messages. */
  locale: Optional(
    Type.String({
      pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      description: 'A language tag (BCP 47) such as de or pt-BR.',
    }),
  ),
  code_length: Optional(Type.Integer({ minimum: 4, maximum: 10 })),
  /** Both these and `defaults` apply. One that could never be reached is refused. */
  sends_per_destination: Optional(Rates),
  failed_guesses_per_destination: Optional(Rates),
  /** Only these countries are allowed; all if the list is empty. */
  countries: Type.Array(Country, { maxItems: 250 }),
  /** In addition to the service’s. Money is in the currency of the service. */
  budgets: Optional(Budgets),
  guard: Optional(
    OneOf(GUARD_MODES, {
      description:
        '`enforce`: what the guard refuses is not sent. `observe`: it is recorded, and sent. `off`: nothing is judged. What the account’s own rules refuse is never sent.',
    }),
  ),
  /** Whether keys of the account may ask in the language of Twilio Verify, below `/twilio`. Absent means false. */
  twilio: Type.Optional(Type.Boolean()),
  /** Whether keys of the account may ask in the language of CAMARA, below `/camara`. Absent means false. */
  camara: Type.Optional(Type.Boolean()),
  /** Absent or null: nothing, and nobody is asked. */
  refuse: Type.Optional(Optional(Refuse)),
});
export type Settings = Static<typeof Settings>;

/** PUT. With the version that was read, nothing is replaced that somebody else changed since; without, whatever is there. */
export const SettingsChange = Type.Object({ ...Settings.properties, version: Type.Optional(Version) });
export type SettingsChange = Static<typeof SettingsChange>;

/** What an account cannot go beyond, and whether the operator set it for this account only. */
const Ceiling = Type.Object({ limits: Type.Array(Type.String()), of: OneOf(['service', 'account']) });

/** With the service's defaults. */
export const SettingsView = Type.Object({
  settings: Settings,
  /** Of the settings. */
  version: Version,
  defaults: Type.Object({
    brand: Type.String(),
    locale: Optional(Type.String()),
    code_length: Type.Integer(),
    sends_per_destination: Ceiling,
    failed_guesses_per_destination: Ceiling,
    locales: Type.Array(Type.String()),
    /** Of budgets (ISO 4217). */
    currency: Type.String(),
    guard: OneOf(GUARD_MODES),
    /** Those that may be asked for: those of every service, and those that its routes serve. */
    channels: Type.Array(Channel),
    /** Which look-ups the service has, and what they can tell. */
    lookups: Type.Array(
      Type.Object({
        name: Type.String(),
        tells: Type.Array(OneOf(FACTS)),
        /** Null: of all countries. */
        countries: Optional(Type.Array(Type.String())),
        price: Type.Number(),
        /** Whether no code is sent when it does not answer. */
        fails_closed: Type.Boolean(),
      }),
    ),
    /** Channels with live messages that go only to the simulator and reach no telephone. */
    simulated: Type.Array(Channel),
    /** Channels with live messages that reach telephones. A channel whose routes differ is in both. */
    reaching: Type.Array(Channel),
  }),
});
export type SettingsView = Static<typeof SettingsView>;
