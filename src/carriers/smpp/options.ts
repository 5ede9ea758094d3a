/** What the configuration says of a carrier of type `smpp`. */
import Type from 'typebox';
import { carrierOptions, duration, secret } from '../../options/fields.ts';

const tls = Type.Object(
  {
    ca: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'File of PEM certificates to trust instead of the public ones; read at every connection, so it may be replaced while running.',
      }),
    ),
    servername: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Name that the certificate must carry, where it is not `host`.',
      }),
    ),
    rejectUnauthorized: Type.Boolean({
      default: true,
      description:
        'Whether the certificate must be valid. `false` lets anyone in between read passwords and codes.',
    }),
  },
  { additionalProperties: false },
);

export const smppOptions = carrierOptions('smpp', 'An SMSC, spoken to in SMPP 3.4 as a transceiver.', {
  host: Type.String({ minLength: 1, description: 'Name or address of the SMSC.' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 2775, description: 'TCP port of the SMSC.' }),
  systemId: Type.String({ pattern: '^[!-~]{1,15}$', description: '`system_id` to bind with.' }),
  password: secret({ pattern: '^[ -~]{1,64}$', description: 'Password to bind with.' }),
  systemType: Type.String({
    pattern: '^[ -~]{0,12}$',
    default: '',
    description: '`system_type`, where the carrier wants one.',
  }),
  source: Type.String({
    pattern: '^(\\+?[0-9]{3,15}|[ -~]{1,11})$',
    description: 'Sender: a name of up to 11 characters, a short code, or an E.164 number.',
  }),
  sourceTon: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 6,
      description: 'Type of number of `source`, if not as it looks.',
    }),
  ),
  sourceNpi: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 18,
      description: 'Numbering plan of `source`, if not as it looks.',
    }),
  ),
  serviceType: Type.String({
    pattern: '^[ -~]{0,5}$',
    default: '',
    description: '`service_type`, where the carrier wants one.',
  }),
  receipts: Type.Boolean({ default: true, description: 'Whether to ask for delivery receipts.' }),
  unmarkedReceipts: Type.Boolean({
    default: false,
    description:
      'Whether a message that reads like a receipt (`id:... stat:...`) is one, though nothing marks it so. Only for an SMSC that marks none: whoever can send a text to `source` could write one about a message to his own telephone.',
  }),
  validity: Type.Boolean({
    default: true,
    description:
      'Whether the SMSC is told how long the code is good (`validity_period`), after which it gives the message up. `false` for one that answers ESME_RINVEXPIRY.',
  }),
  links: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 1,
    description: 'Connections to hold bound; messages take turns on them.',
  }),
  window: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: 'Messages under way at once on each link.',
  }),
  connectTimeout: duration({
    atLeast: '100ms',
    atMost: '1m',
    default: '5s',
    description: 'How long a connection may take, TLS included.',
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
    description: 'Silence after which a link is asked whether it still lives.',
  }),
  reconnectMin: duration({
    atLeast: '10ms',
    atMost: '1m',
    default: '500ms',
    description: 'Wait before the first try to reconnect.',
  }),
  reconnectMax: duration({
    atLeast: '10ms',
    atMost: '1h',
    default: '30s',
    description: 'Longest wait between tries; also the wait after refused credentials.',
  }),
  tls: Type.Union([Type.Literal(false), tls], {
    default: false,
    description: 'TLS to the SMSC: `false`, or an object; `{}` verifies against the public authorities.',
  }),
});

export type SmppOptions = Type.StaticDecode<typeof smppOptions>;
