/** A carrier of every type, each of whose secret options has a value of its own that is found again wherever it goes. */
import { generateKeyPairSync } from 'node:crypto';
import Type, { type TSchema } from 'typebox';
import { CARRIER_TYPES } from '../../../src/carriers/all-types.ts';
import { annotationsOf } from '../../../src/config/expectation.ts';

type Options = Readonly<Record<string, unknown>>;

/** Nothing listens there: whoever asks the carrier is told so. */
const NOBODY = 'http://127.0.0.1:1';
/** As short as an SMSC's password must be. */
const mark = (name: string): string => `mark-of-${name}`;

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
/** Lines of the key, which a text with other line breaks has, too. */
const KEY_LINES = privateKey.split('\n').slice(1, -2);

/** By a name for each carrier. */
export const CARRIERS: Readonly<Record<string, Options & { readonly type: string }>> = {
  smpp: { type: 'smpp', host: '127.0.0.1', port: 1, systemId: 'us', password: mark('smpp'), source: 'Acme' },
  'http-json': {
    type: 'http',
    url: `${NOBODY}/${mark('http-url')}`,
    headers: { 'x-key': mark('http-header') },
    basic: { user: 'us', password: mark('http-basic') },
    json: { to: '{{to}}', text: '{{text}}', key: mark('http-json') },
    reference: 'id',
    receipts: {
      ...{ id: 'id', status: 'status', delivered: ['ok'], undelivered: ['no'] },
      proof: { type: 'hmac', header: 'x-signature', secret: mark('http-receipts') },
    },
  },
  'http-form': {
    type: 'http',
    url: `${NOBODY}/send`,
    bearer: mark('http-bearer'),
    form: { to: '{{to}}', text: '{{text}}', key: mark('http-form') },
  },
  twilio: {
    ...{ type: 'twilio', accountSid: `AC${'0'.repeat(32)}`, authToken: mark('twilio'), url: NOBODY },
    sms: { from: '+12025550123' },
  },
  vonage: {
    ...{ type: 'vonage', apiKey: '01234567', apiSecret: mark('vonage'), sms: { from: 'Acme', url: NOBODY } },
    voice: {
      ...{ from: '+12025550123', applicationId: '01234567-89ab-cdef-0123-456789abcdef' },
      ...{ privateKey, url: NOBODY },
    },
    whatsapp: {
      ...{ from: '+12025550123', applicationId: '01234567-89ab-cdef-0123-456789abcdef' },
      ...{ privateKey, url: NOBODY, template: 'code', language: 'en' },
    },
    rcs: {
      ...{ from: 'Acme', applicationId: '01234567-89ab-cdef-0123-456789abcdef' },
      ...{ privateKey, url: NOBODY, revokeUrl: NOBODY },
    },
    signature: { secret: mark('vonage-signature') },
  },
  telnyx: { type: 'telnyx', apiKey: mark('telnyx'), sms: { from: '+12025550123' }, url: NOBODY },
  plivo: {
    ...{ type: 'plivo', authId: '0123456789ABCDEFGHIJ', authToken: mark('plivo'), url: NOBODY },
    sms: { from: '+12025550123' },
  },
  infobip: {
    ...{ type: 'infobip', url: NOBODY, apiKey: mark('infobip'), webhookPassword: mark('infobip-webhook') },
    sms: { from: 'Acme' },
  },
  sinch: {
    type: 'sinch',
    sms: {
      ...{ from: 'Acme', servicePlanId: 'plan', apiToken: mark('sinch'), url: NOBODY },
      webhookSecret: mark('sinch-webhook'),
    },
    voice: {
      ...{ from: '+12025550123', applicationKey: 'key', applicationSecret: mark('sinch-voice'), url: NOBODY },
    },
    rcs: {
      ...{ from: 'app', projectId: 'project', keyId: 'key', keySecret: mark('sinch-key') },
      ...{ webhookSecret: mark('sinch-app'), url: NOBODY, tokenUrl: NOBODY },
    },
  },
  aws: {
    ...{ type: 'aws', region: 'eu-central-1', accessKeyId: 'A'.repeat(20), secretAccessKey: mark('aws') },
    ...{ sms: { from: '+12025550123' }, url: NOBODY },
  },
  asterisk: { type: 'asterisk', url: NOBODY, user: 'us', password: mark('asterisk'), trunk: 'trunk' },
  meta: {
    ...{ type: 'meta', phoneNumberId: '1234567890', accessToken: mark('meta'), url: NOBODY },
    ...{ template: 'code', language: 'en' },
    webhook: { appSecret: mark('meta-app'), verifyToken: mark('meta-verification') },
  },
  google: {
    ...{ type: 'google', from: 'acme', clientToken: mark('google-webhook'), url: NOBODY, tokenUrl: NOBODY },
    serviceAccount: JSON.stringify({
      ...{ client_email: 'us@project.example', private_key_id: mark('google'), private_key: privateKey },
    }),
  },
  telegram: { type: 'telegram', token: mark('telegram'), url: NOBODY },
  simulator: { type: 'simulator' },
};

/** What must not be found anywhere. */
export const MARKS: readonly string[] = [
  ...Array.from(JSON.stringify(CARRIERS).matchAll(/mark-of-[a-z-]+/g), ([found]) => found),
  ...KEY_LINES,
];

/** The secret options of all types that no carrier above has a mark for. */
export function unmarked(): string[] {
  return CARRIER_TYPES.flatMap(({ options }) => {
    const type = options.properties.type.const;
    const carriers = Object.values(CARRIERS).filter((carrier) => carrier.type === type);
    const isMarked = (path: readonly string[]) =>
      carriers.some((carrier) => hasMark(path.reduce(memberOf, carrier as unknown)));
    return secretsOf(options)
      .filter((path) => !isMarked(path))
      .map((path) => [type, ...path].join('.'));
  });
}

function hasMark(value: unknown): boolean {
  const text = JSON.stringify(value) ?? '';
  return MARKS.some((each) => text.includes(each));
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

/** Where the secrets are, as paths of names. */
function secretsOf(schema: TSchema, path: readonly string[] = []): (readonly string[])[] {
  if (annotationsOf(schema).secret === true) return [path];
  if (Type.IsUnion(schema)) return schema.anyOf.flatMap((each) => secretsOf(each, path));
  if (!Type.IsObject(schema)) return [];
  return Object.entries(schema.properties).flatMap(([name, each]) => secretsOf(each, [...path, name]));
}
