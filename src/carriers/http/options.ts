import Type from 'typebox';
import { CHANNEL_NAMES } from '../../core/destination/channel.ts';
import { carrierOptions, group, insecure, secret, text } from '../../options/fields.ts';
import { httpCredentials } from '../../options/http-credentials.ts';
import { jsonPath } from '../../options/json-path.ts';
import { sendersByCountry, senderText } from '../../options/senders.ts';
import { templatesInAccount } from '../gateway/options.ts';
import { receiptOptions } from './receipts/options.ts';

const sender = senderText(
  'Sender shown on the telephone: the value of {{sender}}. A number, a short code, or a name.',
  'gsm',
);

const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/** `202`, `"2xx"` or `"500-599"`. */
const status = Type.Union(
  [
    Type.Integer({ minimum: 100, maximum: 599 }),
    Type.String({ pattern: '^([1-5][0-9][0-9](-[1-5][0-9][0-9])?|[1-5]xx)$' }),
  ],
  { expected: 'a status such as 202, "2xx" or "500-599"' },
);

function statuses(options: { default: string[]; description: string }) {
  return Type.Array(status, { expected: 'a list of statuses such as 202, "2xx" or "500-599"', ...options });
}

const path = (description: string) => jsonPath(description, 'id or messages.0.message-id');

function rule(description: string) {
  return Type.Optional(
    group(description, {
      path: path('Where the value is in the JSON answer.'),
      equals: Type.Array(scalar, { minItems: 1, description: 'Values that count; 0 and "0" are the same.' }),
    }),
  );
}

/**
 * Options of an `http` carrier: they describe one request to a gateway. Placeholders in `url`, `headers`, `json` and
 * `form`: {{to}} (+E.164), {{toDigits}} (without plus), {{text}}, {{code}}, {{id}}, {{locale}}, {{channel}},
 * {{sender}}, {{entityId}}, {{templateId}}, {{receiptUrl}}. Bodies and addresses may hold credentials, so they are secret, as the headers are.
 */
export const httpOptions = carrierOptions('http', 'A request to an HTTP gateway.', {
  url: text('Address of the gateway. Placeholders in its path and query are percent-encoded.', {
    pattern: '^https?://',
    expected: 'an address such as https://gateway.example.com/send?to={{to}}&text={{text}}',
    secret: true,
  }),
  insecure: insecure('the number, the code and the password'),
  method: Type.Union([Type.Literal('POST'), Type.Literal('PUT'), Type.Literal('GET')], {
    default: 'POST',
    description: 'Method of the request. GET takes neither json nor form.',
  }),
  headers: Type.Record(Type.String({ minLength: 1 }), secret('Value of the header.'), {
    default: {},
    secret: true,
    description: 'More headers. Values may hold any placeholder except {{text}}.',
  }),
  ...httpCredentials,
  json: Type.Optional(
    Type.Unknown({
      secret: true,
      examples: [{ to: '{{to}}', text: '{{text}}' }],
      description: 'JSON body. Placeholders in its strings are filled in. Cannot be combined with form.',
    }),
  ),
  form: Type.Optional(
    Type.Record(Type.String({ minLength: 1 }), scalar, {
      secret: true,
      description:
        'URL-encoded form body. Placeholders in its values are filled in. Cannot be combined with json.',
    }),
  ),
  sender: Type.Optional(sender),
  senders: sendersByCountry('sender', sender),
  templatesInAccount,
  reference: Type.Optional(path("Where the message's id is in the gateway's JSON answer.")),
  accepted: statuses({
    default: ['2xx'],
    description: 'Statuses that mean that the gateway accepted the message. Never a 5xx.',
  }),
  temporary: statuses({
    default: ['3xx', '401-408', '410', '415', '425', '429', '5xx'],
    description:
      'Statuses after which the message is tried again. This includes those of credentials, credit, path and method, because the message is not at fault. Statuses in no list are permanent.',
  }),
  permanent: statuses({
    default: [],
    description:
      'Statuses after which this gateway is not tried again, such as 404 if yours answers it for unknown numbers. This list takes precedence over the other two.',
  }),
  acceptedWhen: rule(
    'For gateways that answer 200 even to failures: only an answer with this value counts as accepted.',
  ),
  permanentWhen: rule(
    'Answers without the value of acceptedWhen are tried again, except those with this value.',
  ),
  reason: Type.Optional(
    path(
      'Where the name or number of an error is in the JSON answer, such as `error.code`. It stands beside the status wherever a failure is told. A value with spaces or with six digits or more is left out, because gateways repeat texts and numbers. Name a field of errors only: a code of four or five digits would pass.',
    ),
  ),
  receipts: Type.Optional(receiptOptions),
  channels: Type.Array(Type.Union(CHANNEL_NAMES.map((name) => Type.Literal(name))), {
    default: ['sms'],
    minItems: 1,
    uniqueItems: true,
    description: 'What the gateway can deliver.',
  }),
  ca: Type.Optional(
    text("PEM file with the CA of the gateway's certificate, if it is not a public one.", {
      minLength: 1,
    }),
  ),
});
export type HttpOptions = Type.StaticDecode<typeof httpOptions>;
