/** Options of one look-up. `type` says which. */
import Type from 'typebox';
import { LINE_TYPES, MOST_HOURS } from '../../core/lookups/facts.ts';
import { apiPathUrl, apiUrl } from '../../options/api-url.ts';
import { carrierOptions, duration, group, integer, secret, text } from '../../options/fields.ts';
import { httpCredentials } from '../../options/http-credentials.ts';
import { jsonPath } from '../../options/json-path.ts';

const common = {
  for: Type.Optional(
    Type.Array(
      text('A country.', {
        pattern: '^[A-Z]{2}$',
        names: 'country',
        expected: 'two capital letters such as DE',
      }),
      {
        minItems: 1,
        description: 'Countries whose numbers it is asked about (ISO 3166 alpha-2). All by default.',
      },
    ),
  ),
  price: Type.Number({
    minimum: 0,
    maximum: 1_000,
    description: 'What one question costs, in `currency`. It counts in budgets. `0` if it costs nothing.',
  }),
  timeout: duration('How long it may take. A code waits for it.', ['100ms', '30s'], '2s'),
  fail: Type.Enum(['open', 'closed'], {
    default: 'open',
    description: 'What happens without an answer: `open` sends the code, `closed` answers 503.',
  }),
  remember: duration(
    'How long an answer is remembered, in the memory of the node, so that a repeated request is not paid for twice.',
    ['1s', '1d'],
    '15m',
  ),
};

const camara = (scope: string, path: string) => ({
  url: apiPathUrl(
    `Address of the API up to its version, such as \`https://api.example.com/${path}\`, without the \`/check\` that follows it.`,
  ),
  tokenUrl: apiPathUrl('Address at which the operator gives access tokens (OAuth 2.0, client credentials).'),
  clientId: text('Id of the client.', { minLength: 1 }),
  clientSecret: secret('Secret of the client.'),
  scope: text('Scope of the access token.', { minLength: 1, default: scope }),
});

const path = (description: string) => jsonPath(description, 'data.line.type');
const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

const found = (description: string) =>
  Type.Optional(
    group(description, {
      path: path('Where the value is in the JSON answer.'),
      equals: Type.Array(scalar, {
        minItems: 1,
        default: [true],
        description: 'Values that mean yes; every other value means no. 0 and "0" are the same.',
      }),
    }),
  );

const http = carrierOptions('http', 'A request to any HTTP API.', {
  url: apiUrlOfTemplate(),
  method: Type.Union([Type.Literal('GET'), Type.Literal('POST')], {
    default: 'GET',
    description: 'Method of the request. GET takes no json.',
  }),
  headers: Type.Record(Type.String({ minLength: 1 }), secret('Value of the header.'), {
    default: {},
    secret: true,
    description: 'More headers. Values may hold placeholders.',
  }),
  ...httpCredentials,
  json: Type.Optional(
    Type.Unknown({
      secret: true,
      examples: [{ msisdn: '{{to}}' }],
      description: 'JSON body. Placeholders in its strings are filled in.',
    }),
  ),
  lineType: Type.Optional(
    group('The type of the line.', {
      path: path('Where it is in the JSON answer.'),
      values: Type.Record(
        Type.String({ minLength: 1 }),
        Type.Enum([...LINE_TYPES], { description: 'A type of line.' }),
        {
          default: {},
          description: `What the API’s own words mean: \`{ CELL: mobile, VOIP: voip }\`. Our own words need not be listed: ${LINE_TYPES.map((type) => `\`${type}\``).join(', ')}. Every other word says nothing.`,
        },
      ),
    }),
  ),
  swapped: found('Whether the SIM was swapped within the hours that were asked about, {{hours}}.'),
  swappedAt: Type.Optional(
    path(
      'Where the time of the last swap is in the JSON answer, as RFC 3339 or ISO 8601. Instead of `swapped`.',
    ),
  ),
  ported: found(
    'Whether the number went to another carrier within the hours that were asked about, {{portedHours}}.',
  ),
  portedAt: Type.Optional(
    path(
      'Where the time at which it went to its carrier is in the JSON answer, as RFC 3339 or ISO 8601. Instead of `ported`.',
    ),
  ),
  recycled: found(
    'Whether the number went to another subscriber since the day that was asked about, {{since}}.',
  ),
  ca: Type.Optional(
    text("PEM file with the CA of the API's certificate, if it is not a public one.", { minLength: 1 }),
  ),
});

const camaraSimSwap = carrierOptions('camara-sim-swap', 'CAMARA SIM Swap 2, of a mobile network.', {
  ...camara('sim-swap:check', 'sim-swap/v2'),
  maxAge: integer(
    'How many hours back the network may say, where the law of its country bounds it. An account that asks for more is answered for these.',
    [1, MOST_HOURS],
    MOST_HOURS,
  ),
});

const camaraNumberRecycling = carrierOptions(
  'camara-number-recycling',
  'CAMARA Number Recycling 0.2, of a mobile network.',
  camara('number-recycling:check', 'number-recycling/v0.2'),
);

const twilio = carrierOptions('twilio', 'Twilio Lookup 2.', {
  accountSid: text('SID of the account.', {
    pattern: '^AC[0-9a-f]{32}$',
    expected: 'an account SID: AC and 32 hexadecimal digits',
  }),
  authToken: secret('Auth token of the account.'),
  tells: Type.Array(Type.Enum(['lineType', 'swapped'], { description: 'A fact.' }), {
    minItems: 1,
    uniqueItems: true,
    default: ['lineType'],
    description:
      'What it is asked for, each of which Twilio charges: `lineType`, and `swapped`, which Twilio has to enable for the account.',
  }),
  url: apiUrl('Address of the API.', 'https://lookups.twilio.com'),
});

const telnyx = carrierOptions('telnyx', 'Telnyx Number Lookup.', {
  apiKey: secret('API key (v2).'),
  url: apiUrl('Address of the API.', 'https://api.telnyx.com'),
});

const TYPES = [camaraSimSwap, camaraNumberRecycling, twilio, telnyx, http] as const;

/** The literal addresses are checked when the look-up is made, after the placeholders are filled in. */
function apiUrlOfTemplate() {
  return text(
    'Address of the API, https, or http on this machine. Placeholders, in its path and query only, are percent-encoded: {{to}} (+E.164), {{toDigits}} (without plus), {{hours}}, {{portedHours}}, {{since}} (YYYY-MM-DD).',
    {
      pattern: '^(https://|http://(127\\.0\\.0\\.1|localhost)[:/])',
      expected: 'an https address such as https://api.example.com/numbers/{{toDigits}}',
      secret: true,
    },
  );
}

export const lookupOptions = Type.Union(
  TYPES.map(({ properties, ...own }) =>
    Type.Object({ ...properties, ...common }, { ...own, additionalProperties: false }),
  ),
);

type Common = Type.StaticDecode<Type.TObject<typeof common>>;
export type HttpLookupOptions = Type.StaticDecode<typeof http>;
export type SimSwapOptions = Type.StaticDecode<typeof camaraSimSwap>;
export type RecyclingOptions = Type.StaticDecode<typeof camaraNumberRecycling>;
export type TwilioLookupOptions = Type.StaticDecode<typeof twilio>;
export type TelnyxLookupOptions = Type.StaticDecode<typeof telnyx>;

export type LookupOptions = Common &
  (HttpLookupOptions | SimSwapOptions | RecyclingOptions | TwilioLookupOptions | TelnyxLookupOptions);

/** What is wrong with the combination of options that are each acceptable: `option: fault`, or null. */
export type FindLookupFault = (options: LookupOptions) => string | null;

/** Whether it is asked since when a number has had another subscriber. */
export const tellsRecycled = (options: LookupOptions): boolean =>
  options.type === 'camara-number-recycling' || (options.type === 'http' && options.recycled !== undefined);
