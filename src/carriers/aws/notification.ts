/** Amazon SNS messages over HTTPS: checks that one belongs to the topic, is signed by AWS, and is recent. */
import { verify } from 'node:crypto';
import type { Clock } from '../../core/seams/clock.ts';
import { parseAnswer } from '../gateway/json-answer.ts';
import { createCertificates, type FetchText } from './certificates.ts';

/** The fields of an envelope, all of them text. */
export type Envelope = ReadonlyMap<string, string>;

export type Opened =
  | { readonly kind: 'genuine'; readonly envelope: Envelope }
  | { readonly kind: 'forged' | 'unavailable' };

/** SNS repeats a message for up to an hour, with the same signature. */
const TOLERANCE_MS = 3_600_000;

const SIGNED: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};
const DIGESTS: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256' };

export function createOpener(
  { wall }: Clock,
  topicArn: string,
  fetch: FetchText,
): (body: Buffer) => Promise<Opened> {
  const keyOf = createCertificates(fetch);
  return async (body) => {
    const envelope = readEnvelope(body);
    const now = wall();
    const fields = SIGNED[envelope.get('Type') ?? ''];
    const digest = DIGESTS[envelope.get('SignatureVersion') ?? ''];
    const certificate = addressAtSns(
      topicArn,
      envelope.get('SigningCertURL'),
      /^\/SimpleNotificationService-\w+\.pem$/,
    );
    const age = now - Date.parse(envelope.get('Timestamp') ?? '');
    const recent = Math.abs(age) <= TOLERANCE_MS;
    if (envelope.get('TopicArn') !== topicArn || !recent || !fields || !digest || !certificate)
      return { kind: 'forged' };
    const key = await keyOf(certificate, now);
    if (key === undefined) return { kind: 'unavailable' };
    const signed = fields
      .filter((name) => envelope.has(name))
      .map((name) => `${name}\n${envelope.get(name)}\n`)
      .join('');
    const signature = Buffer.from(envelope.get('Signature') ?? '', 'base64');
    return verify(digest, Buffer.from(signed), key, signature)
      ? { kind: 'genuine', envelope }
      : { kind: 'forged' };
  };
}

/** The address if it is SNS itself, in the topic's own region, over HTTPS; undefined otherwise. */
export function addressAtSns(topicArn: string, address: string | undefined, path: RegExp): URL | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const [, partition, , region] = topicArn.split(':');
  const host = `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
  return url.origin === `https://${host}` && url.username === '' && path.test(url.pathname) ? url : undefined;
}

function readEnvelope(body: Buffer): Envelope {
  const parsed = parseAnswer(body.toString());
  if (typeof parsed !== 'object' || parsed === null) return new Map();
  return new Map(
    Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
