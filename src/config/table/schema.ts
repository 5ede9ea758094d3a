/**
 * The table of all options, for the given types of carriers. `countersign.yaml`, the environment, the reference and the
 * editors' schema all use it.
 */
import Type from 'typebox';
import type { Route } from '../../core/sending/routing.ts';
import type { CarrierType } from '../../options/carrier-type.ts';
import { duration, group, limit, secret } from '../../options/fields.ts';
import { type CarrierConfig, carrierOptionsOf } from './carrier-options.ts';
import { messageOptions } from './message-options.ts';
import { portalOptions } from './portal-options.ts';
import { routeOptions } from './route-options.ts';

const code = group('The codes.', {
  length: Type.Integer({
    minimum: 4,
    maximum: 10,
    default: 6,
    description: 'Number of characters of a code.',
  }),
  alphabet: Type.Enum(['digits', 'letters'], {
    default: 'digits',
    description:
      'Characters of a code: `digits`, or `letters` for digits and letters without look-alikes (Crockford base 32).',
  }),
  validFor: duration({
    atLeast: '1s',
    atMost: '10m',
    default: '10m',
    description: 'How long a code is valid. NIST SP 800-63B allows ten minutes at most.',
  }),
  guesses: Type.Integer({
    minimum: 1,
    maximum: 10,
    default: 5,
    description: 'How many wrong codes one verification allows.',
  }),
});

const limits = group('Limits. Each list holds rates such as `5/10m`; all rates of a list apply.', {
  sendsPerDestination: Type.Array(limit({ description: 'Maximum number of codes in any such window.' }), {
    minItems: 1,
    maxItems: 5,
    default: ['5/10m', '20/1d'],
    description:
      'Codes sent to one destination. Never empty: otherwise anyone could ring a telephone all night at your cost.',
  }),
  failedGuessesPerDestination: Type.Array(limit({ description: 'At most so many in any such window.' }), {
    minItems: 1,
    maxItems: 5,
    default: ['50/1d'],
    description:
      'Wrong codes for one destination over all its verifications. A success resets the count. Never empty: a new code must not allow new guesses.',
  }),
  requestsPerKey: Type.Array(limit({ description: 'At most so many in any such window.' }), {
    maxItems: 5,
    default: ['1000/1s'],
    description: 'Requests for a code by one API key. An empty list sets no limit.',
  }),
});

const tls = group('The certificate. Without it the first start makes a self-signed one.', {
  cert: Type.String({
    minLength: 1,
    description: 'PEM file with the certificate chain. It is read again when it changes.',
  }),
  key: Type.String({ minLength: 1, description: 'PEM file with its private key.' }),
});

const port = { minimum: 0, maximum: 65_535 };

export const createConfigSchema = (types: readonly CarrierType[]) =>
  Type.Object(
    {
      host: Type.String({
        default: '::',
        description: 'Address to listen on. `::` means all addresses, IPv4 included.',
      }),
      port: Type.Integer({ ...port, default: 8443, description: 'Port of the HTTPS service.' }),
      publicUrl: Type.Optional(
        Type.String({
          pattern: '^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$',
          expected: 'an https address such as https://verify.example.com',
          description:
            'Address at which carriers on the Internet reach this service. If it is set, carriers send delivery receipts to `/carriers/NAME/receipts` below it.',
        }),
      ),
      dataDir: Type.String({
        minLength: 1,
        default: './data',
        description: 'Folder for the store and for the files that the first start makes.',
      }),
      secret: Type.Optional(
        secret({
          minLength: 32,
          expected: 'at least 32 random characters',
          description:
            'Secret that seals numbers and codes. Without it the first start makes one in the data folder. If it is lost, all open verifications are lost. A secret that could be guessed, or that everyone can read, is refused.',
        }),
      ),
      previousSecret: Type.Optional(
        secret({
          minLength: 32,
          expected: 'at least 32 random characters',
          description:
            'The previous secret: still used for reading, not for writing. Remove it after `retention.verifications`.',
        }),
      ),
      store: group('Where verifications are kept.', {
        url: Type.Optional(
          secret({
            expected: 'postgres://user:password@host:5432/database?sslmode=verify-full',
            description:
              'A PostgreSQL database that several nodes share, such as `postgres://user:password@host:5432/database?sslmode=verify-full`. Without it the store is in the data folder and only one process can use it. See docs/postgresql.md.',
          }),
        ),
      }),
      tls: Type.Optional(tls),
      plain: Type.Optional(
        group('A port for plain HTTP that refuses every request. By default there is none.', {
          port: Type.Integer({ ...port, description: 'Port that refuses plain HTTP.' }),
          revokeKeys: Type.Boolean({
            default: true,
            description: 'Whether to revoke an API key that was sent unencrypted.',
          }),
        }),
      ),
      trustProxy: Type.Array(
        Type.String({ minLength: 1, description: 'An address or a network such as 10.0.0.0/8.' }),
        {
          default: [],
          description:
            'Proxies that end TLS in front of the service. If any are set, the port speaks plain HTTP, and only to them.',
        },
      ),
      code,
      limits,
      messages: messageOptions,
      carriers: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), carrierOptionsOf(types), {
        default: {},
        description: 'Carriers, by a name of your choice. The one called `simulator` always exists.',
      }),
      routes: Type.Array(routeOptions, {
        default: [],
        description:
          'Which carriers take which messages. The first route that matches is used. Without carriers and routes everything goes to the simulator.',
      }),
      currency: Type.String({
        pattern: '^[A-Z]{3}$',
        expected: 'a currency such as EUR (ISO 4217)',
        default: 'USD',
        description: 'Currency of the `prices` of carriers (ISO 4217).',
      }),
      delivery: group('The queue of codes to send.', {
        lease: duration({
          atLeast: '1s',
          atMost: '10m',
          default: '15s',
          description: 'How long a delivery stays with a silent node before another node may take it.',
        }),
      }),
      retention: group('How long data is kept.', {
        verifications: duration({
          atLeast: '1d',
          atMost: '3650d',
          default: '30d',
          description:
            'How long a verification is kept. At least one day, and at least the longest window of `limits`.',
        }),
        simulatorMessages: duration({
          atLeast: '1s',
          atMost: '3650d',
          default: '1d',
          description: 'How long the simulator keeps its messages.',
        }),
        statistics: duration({
          atLeast: '1d',
          atMost: '3650d',
          default: '1095d',
          description:
            'How long statistics of verifications are kept: per ten seconds for two hours, per hour for 60 days, then per day.',
        }),
      }),
      log: group('The log, on standard output.', {
        level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
          default: 'info',
          description: 'The lowest level of lines to write.',
        }),
      }),
      metrics: group('The metrics for Prometheus, at `/metrics`.', {
        token: Type.Optional(
          secret({
            minLength: 16,
            expected: 'at least 16 characters',
            description: 'Bearer token for reading `/metrics`. Without it only this machine may read them.',
          }),
        ),
      }),
      portal: portalOptions,
    },
    { additionalProperties: false, title: 'Countersign', description: 'Configuration of Countersign.' },
  );

type Options = Type.StaticDecode<ReturnType<typeof createConfigSchema>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** The whole configuration: every default applied, durations in ms, frozen. */
export type Config = DeepReadonly<Omit<Options, 'carriers' | 'routes'>> & {
  readonly carriers: Readonly<Record<string, CarrierConfig>>;
  readonly routes: readonly Route[];
};
