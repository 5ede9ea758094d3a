/**
 * The table of all options, for the given types of carriers. `countersign.yaml`, the environment, the reference and the
 * editors' schema all use it.
 */
import Type from 'typebox';
import { KEY_SHAPE } from '../../core/accounts/api-key-format.ts';
import type { PriceRow } from '../../core/sending/prices.ts';
import type { Route } from '../../core/sending/routing.ts';
import { LENGTHS } from '../../core/verification/code.ts';
import { ENDING_LENGTHS } from '../../core/verification/endings.ts';
import type { CarrierType } from '../../options/carrier-type.ts';
import { address, duration, flag, group, integer, limit, secret, text } from '../../options/fields.ts';
import type { OptionOrigins } from '../option-origins.ts';
import { alertOptions, smtpOptions } from './alert-options.ts';
import { budgetOptions } from './budget-options.ts';
import { type CarrierConfig, carrierOptionsOf } from './carrier-options.ts';
import { guardOptions } from './guard-options.ts';
import { hookOptions } from './hook-options.ts';
import { type LookupOptions, lookupOptions } from './lookup-options.ts';
import { messageOptions } from './message-options.ts';
import { portalOptions } from './portal-options.ts';
import { routeOptions } from './route-options.ts';
import { tracingOptions } from './tracing-options.ts';
import { webhookOptions } from './webhook-options.ts';

const code = group('The codes.', {
  length: integer('Number of characters of a code.', LENGTHS, 6),
  alphabet: Type.Enum(['digits', 'letters'], {
    default: 'digits',
    description:
      'Characters of a code: `digits`, or `letters` for digits and letters without look-alikes (Crockford base 32).',
  }),
  validFor: duration(
    'How long a code is valid. NIST SP 800-63B allows ten minutes at most.',
    ['1s', '10m'],
    '10m',
  ),
  guesses: integer(
    'How many wrong codes one verification allows. That of a missed call, whose code is short, allows 3 at most.',
    [1, 10],
    5,
  ),
  endingLength: integer(
    'How many of the last digits of the number that calls are the code of a missed call (`flashcall`).',
    ENDING_LENGTHS,
    4,
  ),
});

const limits = group('Limits. Each list holds rates such as `5/10m`; all rates of a list apply.', {
  sendsPerDestination: Type.Array(limit('Maximum number of codes in any such window.'), {
    minItems: 1,
    maxItems: 5,
    default: ['5/10m', '20/1d'],
    description:
      'Codes sent to one destination. Never empty: otherwise anyone could ring a telephone all night at your cost.',
  }),
  failedGuessesPerDestination: Type.Array(limit('At most so many in any such window.'), {
    minItems: 1,
    maxItems: 5,
    default: ['50/1d'],
    description:
      'Wrong codes for one destination over all its verifications. A success resets the count. Never empty: a new code must not allow new guesses.',
  }),
  requestsPerKey: Type.Array(limit('At most so many in any such window.'), {
    maxItems: 5,
    default: ['1000/1s'],
    description:
      'Requests by one API key for a code, or for what became of one. An empty list sets no limit.',
  }),
});

const ofNumber = (description: string) =>
  Type.Optional(
    Type.Array(limit('At most so many in any such window.'), { minItems: 1, maxItems: 5, description }),
  );

const account = group('What one account has of its own.', {
  limits: group('What holds for its numbers in place of `limits`: more, or less.', {
    sendsPerDestination: ofNumber('Codes sent to one number for this account.'),
    failedGuessesPerDestination: ofNumber('Wrong codes for one number of this account.'),
  }),
});

const tls = group('The certificate. Without `cert` and `key` the first start makes a self-signed one.', {
  cert: Type.Optional(
    text('PEM file with the certificate chain. It is read again when it changes.', { minLength: 1 }),
  ),
  key: Type.Optional(text('PEM file with its private key.', { minLength: 1 })),
  names: Type.Array(text('A host name or an IP address.'), {
    maxItems: 100,
    default: [],
    description:
      'Names by which clients reach the service, for the self-signed certificate: host names and IP addresses, such as the name of its container. It always has `localhost` and the name of the machine. If it lacks one of these, the next start makes a new one.',
  }),
});

const PORTS = [0, 65_535] as const;

export const createConfigSchema = (types: readonly CarrierType[]) =>
  Type.Object(
    {
      host: text('Address to listen on. `::` means all addresses, IPv4 included.', { default: '::' }),
      port: integer('Port of the HTTPS service.', PORTS, 8443),
      publicUrl: Type.Optional(
        address(
          'Address at which carriers on the Internet reach this service. If it is set, carriers send delivery receipts to `/carriers/NAME/receipts` below it.',
          {
            pattern: '^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$',
            expected: 'an https address such as https://verify.example.com',
          },
        ),
      ),
      dataDir: text('Folder for the store and for the files that the first start makes.', {
        minLength: 1,
        default: './data',
      }),
      secret: Type.Optional(
        secret(
          'Secret that seals numbers and codes. Without it the first start makes one in the data folder. If it is lost, all open verifications are lost. A secret that could be guessed, or that everyone can read, is refused.',
          { minLength: 32, expected: 'at least 32 random characters' },
        ),
      ),
      previousSecret: Type.Optional(
        secret(
          'The previous secret: still used for reading, not for writing. Remove it after `retention.verifications`.',
          { minLength: 32, expected: 'at least 32 random characters' },
        ),
      ),
      store: group('Where verifications are kept.', {
        url: Type.Optional(
          secret(
            'A PostgreSQL database that several nodes share, such as `postgres://user:password@host:5432/database?sslmode=verify-full`; it may name several hosts (docs/high-availability.md). Without it the store is in the data folder and only one process can use it. See docs/postgresql.md.',
            { expected: 'postgres://user:password@host:5432/database?sslmode=verify-full' },
          ),
        ),
      }),
      tls: Type.Optional(tls),
      plain: Type.Optional(
        group('A port for plain HTTP that refuses every request. By default there is none.', {
          port: integer('Port that refuses plain HTTP.', PORTS),
          revokeKeys: flag('Whether to revoke an API key that was sent unencrypted.', true),
        }),
      ),
      trustProxy: Type.Array(text('An address or a network such as 10.0.0.0/8.', { minLength: 1 }), {
        default: [],
        description:
          'Proxies that end TLS in front of the service. If any are set, the port speaks plain HTTP, and only to them.',
      }),
      code,
      limits,
      accounts: Type.Record(Type.String({ pattern: '^acc_[A-Za-z0-9]{1,64}$' }), account, {
        default: {},
        live: true,
        description:
          'What single accounts have of their own, by the id of the account, which is in the address of its pages in the portal: `{ acc_1f...: { limits: { sendsPerDestination: [20/10m] } } }`. Names of accounts can change, so they are none.',
      }),
      guard: guardOptions,
      messages: messageOptions,
      carriers: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), carrierOptionsOf(types), {
        default: {},
        live: true,
        description: 'Carriers, by a name of your choice. The one called `simulator` always exists.',
      }),
      routes: Type.Array(routeOptions, {
        default: [],
        live: true,
        description:
          'Which carriers take which messages. The first route that matches is used. Without carriers and routes everything goes to the simulator.',
      }),
      prices: group(
        'What messages cost. See docs/routing.md.',
        {
          file: Type.Optional(
            text(
              'CSV file with the prices of carriers: lines of `carrier,channel,to,price` below a line that names the columns. `to` is a country, a prefix or `default`. It is read with the configuration.',
              { minLength: 1 },
            ),
          ),
        },
        { live: true },
      ),
      currency: text('Currency of all prices (ISO 4217).', {
        pattern: '^[A-Z]{3}$',
        expected: 'a currency such as EUR (ISO 4217)',
        default: 'USD',
      }),
      budgets: Type.Array(budgetOptions, {
        maxItems: 100,
        default: [],
        live: true,
        description:
          'What messages may cost, or how many there may be, for example `{ of: account, per: day, money: 50 }`. What a message may cost at most is reserved before it is accepted. See docs/budgets.md.',
      }),
      delivery: group('The queue of codes to send.', {
        lease: duration(
          'How long a delivery stays with a silent node before another node may take it.',
          ['1s', '10m'],
          '15s',
        ),
      }),
      retention: group('How long data is kept.', {
        verifications: duration(
          'How long a verification is kept. At least one day, and at least the longest window of `limits`.',
          ['1d', '3650d'],
          '30d',
        ),
        signals: duration(
          'How long it is kept what requests said of people’s devices (`signals`).',
          ['1h', '3650d'],
          '7d',
        ),
        events: duration(
          'How long messages of webhooks are kept, sent or not, so that they can be sent again. Those that are about a verification go with it.',
          ['4d', '3650d'],
          '7d',
        ),
        simulatorMessages: duration('How long the simulator keeps its messages.', ['1s', '3650d'], '1d'),
        statistics: duration(
          'How long statistics of verifications are kept: per ten seconds for two hours, per hour for 60 days, then per day.',
          ['1d', '3650d'],
          '1095d',
        ),
      }),
      log: group('The log, on standard output.', {
        level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
          default: 'info',
          live: true,
          description: 'The lowest level of lines to write.',
        }),
      }),
      metrics: group('The metrics for Prometheus, at `/metrics`.', {
        token: Type.Optional(
          secret(
            'Bearer token that everybody needs for reading `/metrics`. Without it only this machine may read them, and not through a proxy.',
            {
              minLength: 16,
              expected: 'at least 16 characters',
            },
          ),
        ),
      }),
      hooks: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), hookOptions, {
        default: {},
        description:
          'Identity systems that make their own codes and have them sent by `POST /hooks/NAME`, by a name of your choice. See docs/hooks.md.',
      }),
      lookups: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), lookupOptions, {
        default: {},
        description:
          'Providers that are asked about a number before a code is sent to it, by a name of your choice, in this order: for accounts whose settings refuse numbers by what they say. See docs/lookups.md.',
      }),
      tracing: tracingOptions,
      webhooks: webhookOptions,
      alerts: alertOptions,
      smtp: Type.Optional(smtpOptions),
      portal: portalOptions,
      bootstrap: group('What a new store begins with.', {
        key: Type.Optional(
          secret(
            'The first API key, live or test by its beginning, of the account `default`. Make it with `countersign keys generate --test`, or without `--test` for a live one. It is used only by a start that finds a store without any key or account; after that it changes nothing, so revoking the key is final.',
            { expected: KEY_SHAPE },
          ),
        ),
      }),
    },
    { additionalProperties: false, title: 'Countersign', description: 'Configuration of Countersign.' },
  );

type Options = Type.StaticDecode<ReturnType<typeof createConfigSchema>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** The whole configuration: every default applied, durations in ms, frozen. */
export type Config = DeepReadonly<Omit<Options, 'carriers' | 'routes' | 'lookups'>> & {
  readonly lookups: Readonly<Record<string, LookupOptions>>;
  readonly carriers: Readonly<Record<string, CarrierConfig>>;
  readonly routes: readonly Route[];
  /** What `prices.file` holds. */
  readonly priceRows: readonly PriceRow[];
  /** Where the options of carriers and routes were set. */
  readonly given: OptionOrigins;
  /** Mounted files of secrets that others can read. */
  readonly exposed: readonly { readonly key: string; readonly wrong: string }[];
};
