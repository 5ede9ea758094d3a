/** SendTextMessage, SendVoiceMessage and SendRcsMessage of the API `PinpointSMSVoiceV2`, in AWS JSON 1.0. */
import type { Clock } from '../../core/seams/clock.ts';
import type { MakeRequest } from '../gateway/carrier.ts';
import { dialledDigits } from '../gateway/dialling.ts';
import type { GatewayRequest } from '../gateway/transport.ts';
import type { MakeCall } from '../gateway/voices/speech.ts';
import { escapeXml } from '../gateway/xml.ts';
import { lifeOf } from '../rcs.ts';
import { type Senders, senderOf } from '../sender-of.ts';
import { timeLeft } from '../time-left.ts';
import type { AwsOptions } from './options.ts';
import { signRequest } from './sigv4.ts';

type Account = Pick<AwsOptions, 'region' | 'accessKeyId' | 'secretAccessKey' | 'configurationSet'>;

/** AWS's own bounds for `TimeToLive`, in s. */
const [MIN_TTL_S, MAX_TTL_S] = [5, 259_200];
/** The same of an RCS message. AWS's own least is 1; below ours, the platform of the networks may report both ends. */
const RCS_LIFE_S = [10, 172_800] as const;
/** Longer SSML is refused; its markup counts. */
const MAX_SSML = 6_000;

export function createMessageMaker(
  clock: Clock,
  account: Account,
  origin: URL,
  senders: Senders,
): MakeRequest {
  const identityOf = senderOf(senders);
  const post = createPoster(clock, account, origin, 'SendTextMessage');
  return ({ destination, text, expiresAt, registration }) =>
    post({
      DestinationPhoneNumber: destination.address,
      OriginationIdentity: identityOf(destination.country),
      MessageBody: text.toWellFormed(),
      MessageType: 'TRANSACTIONAL',
      TimeToLive: secondsLeft(timeLeft(clock, expiresAt)),
      ...(registration && {
        DestinationCountryParameters: {
          IN_ENTITY_ID: registration.entity,
          IN_TEMPLATE_ID: registration.template,
        },
      }),
    });
}

export function createCallMaker(
  clock: Clock,
  account: Account,
  origin: URL,
  senders: Senders,
): MakeCall<string> {
  const callerOf = senderOf(senders);
  const post = createPoster(clock, account, origin, 'SendVoiceMessage');
  return ({ destination, text, expiresAt }, voice) => {
    const number = dialledDigits(destination);
    if (number === undefined)
      return { kind: 'permanent', reason: `cannot dial a ${destination.kind} address` };
    // Silence at the end: hanging up at once would cut off the last digit.
    const spoken = `<speak><break time="1s"/>${escapeXml(text)}<break time="1s"/></speak>`;
    if (spoken.length > MAX_SSML)
      return { kind: 'permanent', reason: `text longer than ${MAX_SSML} characters` };
    return post({
      DestinationPhoneNumber: number,
      OriginationIdentity: callerOf(destination.country),
      MessageBody: spoken,
      MessageBodyTextType: 'SSML',
      VoiceId: voice,
      TimeToLive: secondsLeft(timeLeft(clock, expiresAt)),
    });
  };
}

/** Without a fallback of AWS's own: that is what the route is for. */
export function createRcsMaker(clock: Clock, account: Account, origin: URL, senders: Senders): MakeRequest {
  const agentOf = senderOf(senders);
  const post = createPoster(clock, account, origin, 'SendRcsMessage');
  return ({ destination, text, ...times }) =>
    post({
      DestinationPhoneNumber: destination.address,
      OriginationIdentity: agentOf(destination.country),
      RcsMessageContent: { Content: { TextMessage: { Body: text.toWellFormed() } } },
      MessageTrafficType: 'AUTHENTICATION',
      TimeToLive: lifeOf(times, clock, RCS_LIFE_S),
    });
}

function secondsLeft(ms: number): number {
  return Math.min(Math.max(Math.floor(ms / 1_000), MIN_TTL_S), MAX_TTL_S);
}

function createPoster(
  { wall }: Clock,
  { region, accessKeyId, secretAccessKey, configurationSet }: Account,
  origin: URL,
  operation: string,
) {
  const scope = { accessKeyId, secretAccessKey, region, service: 'sms-voice' };
  return (fields: object): GatewayRequest => {
    const body = JSON.stringify({
      ...fields,
      ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
    });
    const headers = {
      host: origin.host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `PinpointSMSVoiceV2.${operation}`,
    };
    const at = new Date(wall());
    const signed = signRequest(scope, { method: 'POST', path: '/', headers, body }, at);
    return { method: 'POST', path: '/', headers: { ...signed, 'user-agent': 'countersign' }, body };
  };
}
