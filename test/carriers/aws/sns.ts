/** What SNS publishes to a topic, signed as it does, and under which certificate. */
import { createSign } from 'node:crypto';
import { generate } from 'selfsigned';
import type { Callback } from '../../../src/core/sending/carrier.ts';
import { CALLBACK_URL } from '../contract.ts';
import { TOPIC } from './rig.ts';

export const CERTIFICATE = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123abcd.pem';

const { private: privateKey, cert: made } = await generate(
  [{ name: 'commonName', value: 'sns.amazonaws.com' }],
  {
    algorithm: 'sha256',
  },
);

export const cert = made;

export type Envelope = Record<string, string>;

/** As SNS does it: some fields, one per line, signed with RSA. */
export function envelopeOf(fields: Envelope, at = Date.now(), digest = 'sha256'): Envelope {
  const envelope: Envelope = {
    Type: 'Notification',
    MessageId: 'm-1',
    TopicArn: TOPIC,
    Timestamp: new Date(at).toISOString(),
    SignatureVersion: digest === 'sha256' ? '2' : '1',
    SigningCertURL: CERTIFICATE,
    ...fields,
  };
  const signed = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
    .filter((name) => name in envelope)
    .map((name) => `${name}\n${envelope[name]}\n`)
    .join('');
  return { ...envelope, Signature: createSign(digest).update(signed).sign(privateKey, 'base64') };
}

export const callbackOf = (envelope: Envelope): Callback => ({
  method: 'POST',
  url: CALLBACK_URL,
  headers: { 'content-type': 'text/plain; charset=UTF-8' },
  body: Buffer.from(JSON.stringify(envelope)),
});

/** The same without its signature. */
export const unsignSns = (callback: Callback): Callback => {
  const { Signature: _, ...envelope } = JSON.parse(callback.body.toString());
  return callbackOf(envelope);
};
