/** The one table of all options, given the types of carriers: what `countersign.yaml`, the environment, the reference and the editors' schema share. */
import Type from 'typebox';
import type { Route } from '../core/routing.ts';
import type { CarrierType } from '../options/carrier-type.ts';
import { duration, group, limit, secret } from '../options/fields.ts';
import { type CarrierConfig, carrierOptionsOf } from './carrier-options.ts';
import { messageOptions } from './message-options.ts';
import { portalOptions } from './portal-options.ts';
import { routeOptions } from './route-options.ts';

const code = group('The codes that are sent.', {
  length: Type.Integer({ minimum: 4, maximum: 10, default: 6, description: 'Characters of a code.' }),
  alphabet: Type.Enum(['digits', 'letters'], {
    default: 'digits',
    description:
      'What a code is made of: `digits`, or `letters` for digits and letters without look-alikes (Crockford base 32).',
  }),
  validFor: duration({
    atLeast: '1s',
    atMost: '10m',
    default: '10m',
    description: 'How long a code can be confirmed. NIST SP 800-63B allows ten minutes at most.',
  }),
  guesses: Type.Integer({
    minimum: 1,
    maximum: 10,
    default: 5,
    description: 'Wrong codes that one verification endures.',
  }),
});

const limits = group('Limits. Each list holds rates such as `5/10m`; all of a list apply.', {
  sendsPerDestination: Type.Array(limit({ description: 'At most so many codes in any such window.' }), {
    minItems: 1,
    maxItems: 5,
    default: ['5/10m', '20/1d'],
    description:
      'Codes sent to one destination. Never empty: without it anyone could ring a telephone all night at your cost.',
  }),
  failedGuessesPerDestination: Type.Array(limit({ description: 'At most so many in any such window.' }), {
    minItems: 1,
    maxItems: 5,
    default: ['50/1d'],
    description:
      'Wrong codes for one destination over all its verifications; a success clears them. Never empty: a new code must not give new guesses.',
  }),
  requestsPerKey: Type.Array(limit({ description: 'At most so many in any such window.' }), {
    maxItems: 5,
    default: ['1000/1s'],
    description: 'Requests for a code by one API key. An empty list sets no limit.',
  }),
});

const tls = group('The certificate. Without it one is made and signed by itself on the first start.', {
  cert: Type.String({
    minLength: 1,
    description: 'PEM file of the certificate chain. Read again when it changes.',
  }),
  key: Type.String({ minLength: 1, description: 'PEM file of its private key.' }),
});

const port = { minimum: 0, maximum: 65_535 };

export const createConfigSchema = (types: readonly CarrierType[]) =>
  Type.Object(
    {
      host: Type.String({ default: '::', description: 'Address to listen on; `::` means all, of IPv4 too.' }),
      port: Type.Integer({ ...port, default: 8443, description: 'Port of the HTTPS service.' }),
      publicUrl: Type.Optional(
        Type.String({
          pattern: '^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$',
          expected: 'an https address such as https://verify.example.com',
          description:
            'Where carriers on the Internet reach this service. With it they are asked for delivery receipts, at `/carriers/NAME/receipts`.',
        }),
      ),
      dataDir: Type.String({
        minLength: 1,
        default: './data',
        description: 'Folder of the store and of what is made on the first start.',
      }),
      secret: Type.Optional(
        secret({
          minLength: 32,
          expected: 'at least 32 random characters',
          description:
            'What numbers and codes are sealed with. Without it one is made on the first start and kept in the data folder. Losing it loses every open verification. One that could be guessed, or whose file is open to all, is refused.',
        }),
      ),
      previousSecret: Type.Optional(
        secret({
          minLength: 32,
          expected: 'at least 32 random characters',
          description:
            'The secret before this one: still read, no longer written. Remove it after `retention.verifications`.',
        }),
      ),
      store: group('Where verifications are kept.', {
        url: Type.Optional(
          secret({
            expected: 'postgres://user:password@host:5432/database?sslmode=verify-full',
            description:
              'A PostgreSQL that several nodes share, such as `postgres://user:password@host:5432/database?sslmode=verify-full`. Without it the store is in the data folder, and one process serves it. See docs/postgresql.md.',
          }),
        ),
      }),
      tls: Type.Optional(tls),
      plain: Type.Optional(
        group('A port for plain HTTP, which refuses every request. None without it.', {
          port: Type.Integer({ ...port, description: 'Port that answers plain HTTP with a refusal.' }),
          revokeKeys: Type.Boolean({
            default: true,
            description: 'Whether an API key that travelled in clear is revoked.',
          }),
        }),
      ),
      trustProxy: Type.Array(
        Type.String({ minLength: 1, description: 'An address or a network such as 10.0.0.0/8.' }),
        {
          default: [],
          description:
            'Proxies that end TLS in front of the service. With any, the port speaks plain HTTP to them alone.',
        },
      ),
      code,
      limits,
      messages: messageOptions,
      carriers: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), carrierOptionsOf(types), {
        default: {},
        description:
          'Ways to a telephone, by a name of your choice. The one called `simulator` is always there.',
      }),
      routes: Type.Array(routeOptions, {
        default: [],
        description:
          'Which carriers take which messages; the first route that fits counts. Without carriers and routes everything goes to the simulator.',
      }),
      currency: Type.String({
        pattern: '^[A-Z]{3}$',
        expected: 'a currency such as EUR (ISO 4217)',
        default: 'USD',
        description: 'What the `prices` of carriers are in (ISO 4217).',
      }),
      delivery: group('The queue of codes to be sent.', {
        lease: duration({
          atLeast: '1s',
          atMost: '10m',
          default: '15s',
          description: 'How long a delivery stays with a node that fell silent, before another may take it.',
        }),
      }),
      retention: group('When data is deleted.', {
        verifications: duration({
          atLeast: '1d',
          atMost: '3650d',
          default: '30d',
          description: 'How long a verification is kept. At least a day and the longest window of `limits`.',
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
            'How long counts of what became of verifications are kept: by ten seconds for two hours, by the hour for 60 days, then by the day.',
        }),
      }),
      log: group('The log, on standard output.', {
        level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
          default: 'info',
          description: 'The least important lines that are written.',
        }),
      }),
      metrics: group('The metrics for Prometheus, at `/metrics`.', {
        token: Type.Optional(
          secret({
            minLength: 16,
            expected: 'at least 16 characters',
            description: 'Bearer token that may read `/metrics`. Without it only this machine may.',
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
