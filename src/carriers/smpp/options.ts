/** The options of a carrier of type `smpp`. */
import Type from 'typebox';
import { carrierOptions, duration, flag, group, integer, secret, text } from '../../options/fields.ts';
import { oneSender, sendersByCountry, senderText } from '../../options/senders.ts';

const source = senderText(
  'Sender: a name of up to 11 characters, a short code, or an E.164 number. `""` sends none, for an SMSC that puts in the one of the account.',
  'ascii',
  ['', '"" for none'],
);

const TAG = [0x0001, 0xffff] as const;

const registrationTags = group(
  'Tags of the optional parameters (TLV) that carry the ids of `messages.registered`. The defaults are those that Indian operators use.',
  {
    entity: integer('Tag of the id of the business (PE_ID).', TAG, 0x1400),
    template: integer('Tag of the id of the text (TEMPLATE_ID).', TAG, 0x1401),
  },
  { default: {} },
);

const parameter = group('An optional parameter (TLV) of each message.', {
  tag: integer('Its tag, such as `0x1402`.', TAG),
  text: Type.Optional(
    text('Its value, as ASCII without a terminating zero.', {
      pattern: '^[ -~]{1,254}$',
      expected: '1 to 254 ASCII characters',
    }),
  ),
  hex: Type.Optional(
    text('Its value in hexadecimal, instead of `text`.', {
      pattern: '^([0-9A-Fa-f]{2}){0,254}$',
      expected: 'pairs of hexadecimal digits',
    }),
  ),
  countries: Type.Optional(
    Type.Array(text('A country.', { pattern: '^[A-Z]{2}$', expected: 'two capital letters such as TR' }), {
      minItems: 1,
      description: 'Only messages to these countries have it. Without them all have it.',
    }),
  ),
});

const dataCoding = group(
  '`data_coding` of the texts, and with it how they are written.',
  {
    gsm: integer(
      'Of texts in the GSM alphabet: `0x00` and, for class 1, `0x11` or `0xF1`, as GSM septets; `0x03` as Latin-1; `0x01` with those characters that ASCII and GSM write alike. A text with any other, such as €, then goes as UCS-2.',
      [0, 0xff],
      0,
    ),
    ucs2: integer('Of all other texts, as UCS-2: `0x08` or, for class 1, `0x19`.', [0, 0xff], 8),
  },
  { default: {} },
);

const tls = Type.Object(
  {
    ca: Type.Optional(
      text(
        'PEM file of the CAs to trust instead of the public ones. It is read at every connection, so it may be replaced while running.',
        { minLength: 1 },
      ),
    ),
    cert: Type.Optional(
      text(
        'PEM file of our own certificate, with its chain, if the SMSC wants one. It is read at every connection, like `ca`.',
        { minLength: 1 },
      ),
    ),
    key: Type.Optional(
      text('PEM file of the private key of `cert`, without a passphrase. It is read at every connection.', {
        minLength: 1,
      }),
    ),
    servername: Type.Optional(
      text('Name that the certificate must have, if it is not `host`.', { minLength: 1 }),
    ),
    rejectUnauthorized: flag(
      'Whether the certificate must be valid. With `false` anyone on the network path can read passwords and codes.',
      true,
    ),
  },
  { additionalProperties: false },
);

export const smppOptions = carrierOptions('smpp', 'An SMSC over SMPP 3.4.', {
  host: text('Name or address of the SMSC.', { minLength: 1 }),
  port: integer('TCP port of the SMSC.', [1, 65_535], 2775),
  systemId: text('`system_id` to bind with.', {
    pattern: '^[!-~]{1,15}$',
    expected: '1 to 15 ASCII characters without spaces',
  }),
  password: secret('Password to bind with.', {
    pattern: '^[ -~]{1,64}$',
    expected: '1 to 64 ASCII characters',
  }),
  systemType: text('`system_type`, if the carrier wants one.', {
    pattern: '^[ -~]{0,12}$',
    expected: 'at most 12 ASCII characters',
    default: '',
  }),
  bind: Type.Union([Type.Literal('transceiver'), Type.Literal('separate'), Type.Literal('transmitter')], {
    default: 'transceiver',
    description:
      'What to bind: transceivers; transmitters, and one receiver for receipts and for what people send back; or only transmitters, where another node or another program has the receiver.',
  }),
  interfaceVersion: integer(
    '`interface_version` to bind with: `0x33`, `0x34` or `0x50`. Whatever is told, only what SMPP 3.4 has is spoken, and with `0x33` no optional parameters.',
    [0x33, 0x50],
    0x34,
  ),
  addressRange: text(
    '`address_range` of the bind, if the carrier wants one: the addresses whose messages are to come over it.',
    { pattern: '^[!-~]{0,40}$', expected: 'at most 40 ASCII characters without spaces', default: '' },
  ),
  addressTon: integer('Type of number (TON) of `addressRange`.', [0, 6], 0),
  addressNpi: integer('Numbering plan (NPI) of `addressRange`.', [0, 18], 0),
  source: oneSender(source),
  senders: sendersByCountry('source', source),
  sourceTon: Type.Optional(
    integer(
      'Type of number (TON) of `source` or the default of `senders`, if it cannot be derived from its form.',
      [0, 6],
    ),
  ),
  sourceNpi: Type.Optional(
    integer(
      'Numbering plan (NPI) of `source` or the default of `senders`, if it cannot be derived from its form.',
      [0, 18],
    ),
  ),
  serviceType: text('`service_type`, if the carrier wants one.', {
    pattern: '^[ -~]{0,5}$',
    expected: 'at most 5 ASCII characters',
    default: '',
  }),
  receipts: flag('Whether to request delivery receipts.', true),
  unmarkedReceipts: flag(
    'Whether a message that reads like a receipt (`id:... stat:...`) counts as one even if nothing marks it as a receipt. Only for an SMSC that does not mark receipts: anyone who can send a text to `source` could forge a receipt for a message to their own telephone.',
    false,
  ),
  validity: flag(
    'Whether to tell the SMSC how long the code is valid (`validity_period`), so that it drops the message afterwards. Use `false` for an SMSC that answers ESME_RINVEXPIRY.',
    true,
  ),
  dataCoding,
  long: Type.Union([Type.Literal('udh'), Type.Literal('sar'), Type.Literal('payload')], {
    default: 'udh',
    description:
      'How a text goes that is too long for one message: in parts with user data headers (`udh`), in parts with the optional parameters `sar_msg_ref_num`, `sar_total_segments` and `sar_segment_seqnum` (`sar`), or whole as `message_payload` (`payload`).',
  }),
  registrationTags,
  tlvs: Type.Array(parameter, {
    maxItems: 32,
    default: [],
    description:
      'More optional parameters that the SMSC wants, such as `{ tag: 0x1402, text: "...", countries: [IN] }`.',
  }),
  links: integer('Number of connections that send to keep bound. Messages take turns on them.', [1, 64], 1),
  window: integer('Maximum number of messages under way at once on each link.', [1, 1000], 10),
  responseTimeout: duration('How long the SMSC may take to answer, but for a bind.', ['100ms', '2m'], '10s'),
  enquireLink: duration(
    'Silence after which the link is checked with an enquire_link.',
    ['100ms', '1h'],
    '30s',
  ),
  tls: Type.Union([Type.Literal(false), tls], {
    default: false,
    description:
      'TLS to the SMSC: `false`, or an object. `{}` verifies the certificate against the public CAs.',
  }),
});

export type SmppOptions = Type.StaticDecode<typeof smppOptions>;

/** What no SMSC forces upon an operator, in ms. */
export interface SmppTimes {
  /** How long connecting may take, including TLS. */
  readonly connectTimeout: number;
  /** How long the SMSC may take to answer a bind. */
  readonly bindTimeout: number;
  /** The wait before the first attempt to reconnect. */
  readonly reconnectMin: number;
  /** The longest wait between attempts, and the one after refused credentials. */
  readonly reconnectMax: number;
}

export const SMPP_TIMES: SmppTimes = {
  connectTimeout: 5_000,
  bindTimeout: 5_000,
  reconnectMin: 500,
  reconnectMax: 30_000,
};

/** What a link goes by. */
export type LinkOptions = SmppOptions & SmppTimes;
