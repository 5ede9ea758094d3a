/** Carriers that hand RCS on and take nothing back, as an operator configures them, and what they tell of messages. */
import type { Callback } from '../../../src/core/sending/carrier.ts';
import { TOPIC } from '../aws/rig.ts';
import { callbackOf, envelopeOf, unsignSns } from '../aws/sns.ts';
import { openSnsHost } from '../aws/sns-host.ts';
import { type Apart, answer, type GatewayRequest, type Reaction } from '../gateway.ts';
import { signed } from './sinch-webhook.ts';

/** Whose credentials are configured. */
export type Account = 'first' | 'second';
export type Fate = 'pending' | 'delivered' | 'undelivered';
type Told = Pick<Callback, 'headers' | 'body'>;

export interface Broker {
  readonly name: 'sinch' | 'aws';
  /** With a gateway at `url` in its place. */
  options(url: string, account: Account): object;
  readonly apart?: Apart;
  accepted(reference: string): Reaction;
  /** What it was asked to send, for how long in s, and by whose credentials. */
  read(request: GatewayRequest): { readonly text: string; readonly life: number; readonly by: string };
  report(reference: string, fate: Fate, account: Account): Told;
  /** The same by somebody else. */
  forge(reference: string, fate: Fate): Told;
  says(number: string, text: string, account: Account): Told;
  /** The environment in which a service believes its callbacks. */
  surround(parts: AsyncDisposableStack): Promise<Readonly<Record<string, string>>>;
}

const APP = '01EB37HMH1M6SV18ABNS3G135H';
const webhookSecretOf = (account: string) => `secret-of-the-${account}-webhook`;

function toldBySinch(what: object, account: string): Told {
  return signed({ app_id: APP, ...what }, '', Date.now(), webhookSecretOf(account));
}

function reportOfSinch(message_id: string, fate: Fate, account: string): Told {
  const status = { pending: 'QUEUED_ON_CHANNEL', delivered: 'DELIVERED', undelivered: 'FAILED' }[fate];
  const reason = fate === 'undelivered' && { reason: { code: 'RECIPIENT_NOT_REACHABLE' } };
  return toldBySinch({ message_delivery_report: { message_id, status, ...reason } }, account);
}

const sinch: Broker = {
  name: 'sinch',
  options: (url, account) => ({
    type: 'sinch',
    rcs: {
      ...{ from: APP, projectId: account, keyId: `key-${account}`, keySecret: `secret-of-${account}` },
      ...{ webhookSecret: webhookSecretOf(account), url, tokenUrl: url },
    },
  }),
  apart: (path) =>
    path === '/oauth2/token' ? answer(200, { access_token: 'tok-1', expires_in: 3_599 }) : undefined,
  accepted: (message_id) => answer(200, { message_id }),
  read({ url, body }) {
    const { message, ttl } = JSON.parse(body);
    const by = /^\/v1\/projects\/(\w+)\//.exec(url)?.[1] ?? '';
    return { text: message.text_message.text, life: Number.parseInt(ttl, 10), by };
  },
  report: reportOfSinch,
  forge: (reference, fate) => reportOfSinch(reference, fate, 'guessed'),
  says: (number, text, account) =>
    toldBySinch(
      {
        message: {
          channel_identity: { channel: 'RCS', identity: number.slice(1) },
          contact_message: { text_message: { text } },
        },
      },
      account,
    ),
  surround: async () => ({}),
};

const AGENT = 'rcs-a1b2c3d4';

/** SNS signs with a certificate of its own, whoever is subscribed. */
const toldByAws = (event: object): Callback => callbackOf(envelopeOf({ Message: JSON.stringify(event) }));

function reportOfAws(messageId: string, fate: Fate): Callback {
  const [eventType, messageStatus] = {
    pending: ['RCS_SENT', 'PENDING'],
    delivered: ['RCS_DELIVERED', 'DELIVERED'],
    undelivered: ['RCS_FAILED', 'UNDELIVERABLE'],
  }[fate];
  return toldByAws({ eventType, eventVersion: '1.0', isFinal: true, messageId, messageStatus });
}

const aws: Broker = {
  name: 'aws',
  options: (url, account) => ({
    ...{ type: 'aws', region: 'eu-central-1', url, rcs: { from: AGENT }, receiptTopic: TOPIC },
    accessKeyId: `AKIDEXAMPLE${account.toUpperCase()}`,
    secretAccessKey: `secret-of-${account}`,
  }),
  accepted: (MessageId) => answer(200, { MessageId }),
  read({ headers, body }) {
    const { RcsMessageContent, TimeToLive } = JSON.parse(body);
    const by = /Credential=AKIDEXAMPLE(\w+)\//.exec(headers.authorization ?? '')?.[1] ?? '';
    return { text: RcsMessageContent.Content.TextMessage.Body, life: TimeToLive, by: by.toLowerCase() };
  },
  report: reportOfAws,
  forge: (reference, fate) => unsignSns(reportOfAws(reference, fate)),
  says: (number, messageBody) =>
    toldByAws({
      ...{ originationNumber: number.slice(1), destinationNumber: AGENT, inboundMessageId: 'm-1' },
      messageBody,
    }),
  surround: async (parts) => parts.use(await openSnsHost()).env,
};

export const BROKERS = [sinch, aws];
