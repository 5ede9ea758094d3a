/** Every carrier that sends SMS: how it is configured, and what its message shows of its sender and its registration. */
import { generateKeyPairSync } from 'node:crypto';
import type { GatewayRequest } from '../gateway.ts';

/** What reached the gateway. */
export interface Shown {
  readonly sender: string | undefined;
  readonly text: string | undefined;
  /** Id of the business and of the text. */
  readonly ids: readonly [entity: string, template: string] | undefined;
}

export interface SenderRig {
  readonly type: string;
  /** Options for a gateway at `url`, with the options of its sender, and of its caller ID if it makes calls. */
  options(url: string, sender: object, caller?: object): Record<string, unknown>;
  /** How it writes a number. */
  readonly plus: boolean;
  read(request: GatewayRequest): Shown;
  /** The caller ID of a call; absent if it makes none. */
  readCaller?(request: GatewayRequest): string | undefined;
  /** Whether it is told the ids, or has to have them in the account: then by which option. */
  readonly registers: 'ids' | { readonly inAccount: object };
}

const ID = '01234567-89ab-cdef-0123-456789abcdef';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const json = ({ body }: GatewayRequest) => JSON.parse(body);
const form = ({ body }: GatewayRequest) => new URLSearchParams(body);
const idsOf = (entity: unknown, template: unknown): Shown['ids'] =>
  typeof entity === 'string' && typeof template === 'string' ? [entity, template] : undefined;
/** For carriers without fields for them: nothing in the request may look like one. */
const noIds = ({ body }: GatewayRequest): Shown['ids'] =>
  /entity|template|dlt/i.test(body) ? ['?', '?'] : undefined;

const caller = (group: object | undefined, more: object = {}) =>
  group === undefined ? {} : { voice: { ...group, ...more } };

export const SENDER_RIGS: readonly SenderRig[] = [
  {
    type: 'twilio',
    options: (url, sender, call) => ({
      ...{ type: 'twilio', accountSid: `AC${'0'.repeat(32)}`, authToken: 't', url, sms: sender },
      ...caller(call),
    }),
    plus: true,
    read(request) {
      const fields = form(request);
      return {
        sender: fields.get('From') ?? undefined,
        text: fields.get('Body') ?? undefined,
        ids: noIds(request),
      };
    },
    readCaller: (request) => form(request).get('From') ?? undefined,
    registers: { inAccount: { templatesInAccount: true } },
  },
  {
    type: 'vonage',
    options: (url, sender, call) => ({
      ...{ type: 'vonage', apiKey: 'abcd1234', apiSecret: 's', sms: { ...sender, url } },
      ...caller(call, { applicationId: ID, privateKey, url }),
    }),
    plus: false,
    read(request) {
      const fields = form(request);
      return {
        sender: fields.get('from') ?? undefined,
        text: fields.get('text') ?? undefined,
        ids: idsOf(fields.get('entity-id'), fields.get('content-id')),
      };
    },
    readCaller: (request) => json(request).from.number,
    registers: 'ids',
  },
  {
    type: 'telnyx',
    options: (url, sender, call) => ({
      ...{ type: 'telnyx', apiKey: 'k', url, sms: sender },
      ...caller(call, { accountId: ID, applicationId: '1' }),
    }),
    plus: true,
    read(request) {
      const { from, text } = json(request);
      return { sender: from, text, ids: noIds(request) };
    },
    readCaller: (request) => json(request).From,
    registers: { inAccount: { templatesInAccount: true } },
  },
  {
    type: 'plivo',
    options: (url, sender) => ({
      ...{ type: 'plivo', authId: 'M'.repeat(20), authToken: 't', url, sms: sender },
    }),
    plus: true,
    read(request) {
      const { src, text } = json(request);
      return { sender: src, text, ids: noIds(request) };
    },
    registers: { inAccount: { templatesInAccount: true } },
  },
  {
    type: 'infobip',
    options: (url, sender, call) => ({
      ...{ type: 'infobip', apiKey: 'k', url, sms: sender },
      ...caller(call),
    }),
    plus: false,
    read(request) {
      const [{ sender, content, options }] = json(request).messages;
      const { principalEntityId, contentTemplateId } = options.regional?.indiaDlt ?? {};
      return { sender, text: content.text, ids: idsOf(principalEntityId, contentTemplateId) };
    },
    readCaller: (request) => json(request).messages[0].from,
    registers: 'ids',
  },
  {
    type: 'sinch',
    options: (url, sender, call) => ({
      ...{ type: 'sinch', sms: { ...sender, servicePlanId: 'plan', apiToken: 't', url } },
      ...caller(call, { applicationKey: 'k', applicationSecret: 'c2VjcmV0', url }),
    }),
    plus: true,
    read(request) {
      const { from, body } = json(request);
      return { sender: from, text: body, ids: noIds(request) };
    },
    readCaller: (request) => json(request).ttsCallout.cli,
    registers: { inAccount: { templatesInAccount: true } },
  },
  {
    type: 'aws',
    options: (url, sender, call) => ({
      ...{ type: 'aws', region: 'ap-south-1', accessKeyId: 'A'.repeat(16), secretAccessKey: 's', url },
      ...{ sms: sender, ...caller(call) },
    }),
    plus: true,
    read(request) {
      const { OriginationIdentity, MessageBody, DestinationCountryParameters } = json(request);
      const { IN_ENTITY_ID, IN_TEMPLATE_ID } = DestinationCountryParameters ?? {};
      return { sender: OriginationIdentity, text: MessageBody, ids: idsOf(IN_ENTITY_ID, IN_TEMPLATE_ID) };
    },
    readCaller: (request) => json(request).OriginationIdentity,
    registers: 'ids',
  },
  {
    type: 'http',
    options: (url, sender) => ({
      ...{ type: 'http', url, ...renamed(sender, 'sender') },
      json: { to: '{{to}}', from: '{{sender}}', text: '{{text}}', ids: ['{{entityId}}', '{{templateId}}'] },
    }),
    plus: true,
    read(request) {
      const { from, text, ids } = json(request);
      return { sender: from, text, ids: ids[0] === '' && ids[1] === '' ? undefined : ids };
    },
    registers: 'ids',
  },
];

/** Carriers with options of one channel call the one sender by another name. */
export function renamed(sender: object, name: string): object {
  const { from, ...rest } = { from: undefined, ...sender };
  return from === undefined ? rest : { [name]: from, ...rest };
}
