/** The options of a carrier of type `smpp`. */
import Type from 'typebox';
import { carrierOptions, duration, secret } from '../../options/fields.ts';

const tls = Type.Object(
  {
    ca: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'PEM file of the CAs to trust instead of the public ones. It is read at every connection, so it may be replaced while running.',
      }),
    ),
    servername: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Name that the certificate must have, if it is not `host`.',
      }),
    ),
    rejectUnauthorized: Type.Boolean({
      default: true,
      description:
        'Whether the certificate must be valid. With `false` anyone on the network path can read passwords and codes.',
    }),
  },
  { additionalProperties: false },
);

export const smppOptions = carrierOptions('smpp', 'An SMSC over SMPP 3.4, bound as a transceiver.', {
  host: Type.String({ minLength: 1, description: 'Name or address of the SMSC.' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 2775, description: 'TCP port of the SMSC.' }),
  systemId: Type.String({ pattern: '^[!-~]{1,15}$', description: '`system_id` to bind with.' }),
  password: secret({ pattern: '^[ -~]{1,64}$', description: 'Password to bind with.' }),
  systemType: Type.String({
    pattern: '^[ -~]{0,12}$',
    default: '',
    description: '`system_type`, if the carrier wants one.',
  }),
  source: Type.String({
    pattern: '^(\\+?[0-9]{3,15}|[ -~]{1,11})$',
    description: 'Sender: a name of up to 11 characters, a short code, or an E.164 number.',
  }),
  sourceTon: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 6,
      description: 'Type of number (TON) of `source`, if it cannot be derived from its form.',
    }),
  ),
  sourceNpi: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 18,
      description: 'Numbering plan (NPI) of `source`, if it cannot be derived from its form.',
    }),
  ),
  serviceType: Type.String({
    pattern: '^[ -~]{0,5}$',
    default: '',
    description: '`service_type`, if the carrier wants one.',
  }),
  receipts: Type.Boolean({ default: true, description: 'Whether to request delivery receipts.' }),
  unmarkedReceipts: Type.Boolean({
    default: false,
    description:
      'Whether a message that reads like a receipt (`id:... stat:...`) counts as one even if nothing marks it as a receipt. Only for an SMSC that does not mark receipts: anyone who can send a text to `source` could forge a receipt for a message to their own telephone.',
  }),
  validity: Type.Boolean({
    default: true,
    description:
      'Whether to tell the SMSC how long the code is valid (`validity_period`), so that it drops the message afterwards. Use `false` for an SMSC that answers ESME_RINVEXPIRY.',
  }),
  links: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 1,
    description: 'Number of connections to keep bound. Messages take turns on them.',
  }),
  window: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: 'Maximum number of messages under way at once on each link.',
  }),
  connectTimeout: duration({
    atLeast: '100ms',
    atMost: '1m',
    default: '5s',
    description: 'How long connecting may take, including TLS.',
  }),
  bindTimeout: duration({
    atLeast: '100ms',
    atMost: '1m',
    default: '5s',
    description: 'How long the SMSC may take to answer a bind.',
  }),
  responseTimeout: duration({
    atLeast: '100ms',
    atMost: '2m',
    default: '10s',
    description: 'How long the SMSC may take to answer anything else.',
  }),
  enquireLink: duration({
    atLeast: '100ms',
    atMost: '1h',
    default: '30s',
    description: 'Silence after which the link is checked with an enquire_link.',
  }),
  reconnectMin: duration({
    atLeast: '10ms',
    atMost: '1m',
    default: '500ms',
    description: 'Wait before the first attempt to reconnect.',
  }),
  reconnectMax: duration({
    atLeast: '10ms',
    atMost: '1h',
    default: '30s',
    description: 'Longest wait between attempts; also the wait after refused credentials.',
  }),
  tls: Type.Union([Type.Literal(false), tls], {
    default: false,
    description:
      'TLS to the SMSC: `false`, or an object. `{}` verifies the certificate against the public CAs.',
  }),
});

export type SmppOptions = Type.StaticDecode<typeof smppOptions>;
