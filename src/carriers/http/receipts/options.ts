/** How a gateway reports what became of a message, and how it proves that it is the gateway. */
import Type from 'typebox';
import { group, secret, text } from '../../../options/fields.ts';
import { fieldPath } from '../../../options/json-path.ts';

const headerName = (description: string) =>
  text(description, { pattern: '^[A-Za-z0-9-]{1,100}$', expected: 'the name of a header' });

const words = (description: string) =>
  Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), { minItems: 1, description });

const proofSecret = secret('The secret, at least 16 characters.', { minLength: 16 });

const bySecret = Type.Object(
  {
    type: Type.Literal('secret', { description: 'The gateway sends a secret with each callback.' }),
    secret: proofSecret,
    header: Type.Optional(
      headerName('Header that holds it, such as `X-Token`; the secret is all of its value.'),
    ),
    query: Type.Optional(
      text('Parameter of the address that holds it, instead of `header`. {{receiptUrl}} has it.', {
        pattern: '^[A-Za-z0-9_.-]{1,100}$',
        expected: 'the name of a parameter',
      }),
    ),
  },
  { additionalProperties: false },
);

const byHmac = Type.Object(
  {
    type: Type.Literal('hmac', { description: 'The gateway signs each callback.' }),
    secret: proofSecret,
    header: headerName('Header that holds the signature.'),
    algorithm: Type.Enum(['sha256', 'sha512', 'sha1'], {
      default: 'sha256',
      description: 'The hash of the HMAC.',
    }),
    encoding: Type.Enum(['hex', 'base64', 'base64url'], {
      default: 'hex',
      description: 'How the signature is written.',
    }),
    prefix: text('What the header has before the signature, such as `sha256=`.', {
      maxLength: 100,
      default: '',
    }),
    signs: text(
      'What is signed: text with {{body}}, {{url}} (the address that is called, with its query) and {{timestamp}} (the value of the header in `timestamp`).',
      { minLength: 1, maxLength: 500, default: '{{body}}' },
    ),
    timestamp: Type.Optional(
      group(
        'When it was signed. Callbacks of more than five minutes before are refused; without this a callback can be replayed.',
        {
          header: headerName('Header that holds the time, in Unix seconds or milliseconds.'),
        },
      ),
    ),
  },
  { additionalProperties: false },
);

const byAddress = Type.Object(
  {
    type: Type.Literal('address', {
      description:
        'Each message names an address of its own, {{receiptUrl}}, which holds its id and a MAC of it. For gateways that neither send a secret nor sign.',
    }),
    secret: proofSecret,
  },
  { additionalProperties: false },
);

export const receiptOptions = group(
  'Delivery receipts, which the gateway sends to `/carriers/NAME/receipts` below `publicUrl`, by GET or POST.',
  {
    in: Type.Enum(['json', 'form', 'query'], {
      default: 'json',
      description:
        'Where a callback has its fields: in a JSON body, in a form, or in the query of the address.',
    }),
    id: Type.Optional(
      fieldPath('Where the id of the message is, as in `reference`. Not with a proof of type `address`.'),
    ),
    status: fieldPath('Where the status is.'),
    reason: Type.Optional(fieldPath('Where the number or word for what went wrong is.')),
    delivered: words('Statuses that mean that the message arrived; 0 and "0" are the same.'),
    undelivered: words('Statuses that mean that it never will. All others mean that it is still under way.'),
    proof: Type.Union([bySecret, byHmac, byAddress], { description: 'How a callback proves who sent it.' }),
  },
);

export type ReceiptOptions = Type.StaticDecode<typeof receiptOptions>;
export type ProofOptions = ReceiptOptions['proof'];
export type HmacOptions = Type.StaticDecode<typeof byHmac>;
