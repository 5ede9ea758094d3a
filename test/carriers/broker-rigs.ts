/** Carriers that hand on messages of several messengers: how their tests configure each, and what each answers and calls back. */
import assert from 'node:assert/strict';
import { createHash, createHmac, verify } from 'node:crypto';
import { createInfobipCarrier } from '../../src/carriers/infobip/carrier.ts';
import { infobipOptions } from '../../src/carriers/infobip/options.ts';
import { createTwilioCarrier } from '../../src/carriers/twilio/carrier.ts';
import { twilioOptions } from '../../src/carriers/twilio/options.ts';
import { createVonageCarrier } from '../../src/carriers/vonage/carrier.ts';
import type { Callback, Carrier, CarrierPorts } from '../../src/core/sending/carrier.ts';
import type { CarrierDriver } from './contract.ts';
import { answer } from './gateway.ts';
import { decodeOptions } from './options.ts';
import { publicKey, SIGNATURE_SECRET, optionsOf as vonageOptionsOf } from './vonage/rig.ts';

export type Create = (url: string, ports: CarrierPorts) => Carrier;
type Says = CarrierDriver['says'];

export const ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`;
export const TWILIO_TOKEN = 'twilio-auth-token';
/** With the group of options of one channel, such as `rcs`. */
export const twilioWith =
  (group: object): Create =>
  (url, ports) =>
    createTwilioCarrier(
      'gateway',
      decodeOptions(twilioOptions, {
        ...{ type: 'twilio', accountSid: ACCOUNT, authToken: TWILIO_TOKEN, url },
        ...group,
      }),
      ports,
    );

/** By Twilio's numbers for what the channel answers with. */
export const twilioSays = (
  codes: Readonly<Record<'permanent' | 'temporary' | 'throttled', number>>,
): Says => ({
  accepted: (reference, status = 201) => answer(status, { sid: reference, status: 'queued' }),
  permanent: [answer(400, { code: codes.permanent }), answer(400)],
  temporary: [answer(500), answer(400, { code: codes.temporary })],
  unauthorised: answer(401, { code: 20003, message: TWILIO_TOKEN }),
  throttled: (retryAfter) => answer(429, { code: codes.throttled }, { 'retry-after': retryAfter }),
  acceptedStatus: 201,
});

/** `group` makes the options of one channel from the address of the gateway. */
export const vonageWith =
  (group: (url: string) => Record<string, unknown>): Create =>
  (url, ports) =>
    createVonageCarrier('gateway', vonageOptionsOf(group(url)), ports);

const problem = (status: number, type: string, headers = {}) =>
  answer(status, { type: `https://developer.vonage.com/api-errors${type}` }, headers);

/** Of the Messages API. */
export const VONAGE_SAYS: Says = {
  accepted: (reference, status = 202) => answer(status, { message_uuid: reference }),
  permanent: [problem(422, '/messages#1020'), answer(400)],
  temporary: [answer(500), problem(402, '#low-balance')],
  unauthorised: problem(401, '#unauthorized'),
  throttled: (retryAfter) => problem(429, '/messages#1000', { 'retry-after': retryAfter }),
  acceptedStatus: 202,
};

/** It is a token that the application's key has signed. */
export function assertVonageToken(authorization: string | undefined): void {
  const [, head = '', claims = '', signature = ''] =
    /^Bearer ([^.]+)\.([^.]+)\.([^.]+)$/.exec(authorization ?? '') ?? [];
  const signed = Buffer.from(`${head}.${claims}`);
  assert.ok(verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url')));
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Signed as all of Vonage's webhooks with a token are. */
export function vonageCallback(fields: object, url: string, at: number): Callback {
  const body = JSON.stringify(fields);
  const payload_hash = createHash('sha256').update(body).digest('hex');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iat: Math.floor(at / 1_000), payload_hash })}`;
  const signature = createHmac('sha256', SIGNATURE_SECRET).update(signed).digest('base64url');
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${signed}.${signature}` };
  return { method: 'POST', url, headers, body: Buffer.from(body) };
}

export const unsignVonage = ({ headers: { authorization: _, ...headers }, ...callback }: Callback) => ({
  ...callback,
  headers,
});

export const INFOBIP_KEY = 'infobip-api-key';
/** With the group of options of one channel, and what else the account has. */
export const infobipWith =
  (groups: object): Create =>
  (url, ports) =>
    createInfobipCarrier(
      'gateway',
      decodeOptions(infobipOptions, { ...{ type: 'infobip', apiKey: INFOBIP_KEY, url }, ...groups }),
      ports,
    );

const infobipStatus = (groupName: string, name: string, more: object = {}, status = 200) =>
  answer(status, {
    messages: [
      { ...{ to: '12025550123', destination: '12025550123' }, ...more, status: { groupName, name } },
    ],
  });

export const INFOBIP_SAYS: Says = {
  accepted: (reference, status = 200) =>
    infobipStatus('PENDING', 'PENDING_ACCEPTED', { messageId: reference }, status),
  permanent: [infobipStatus('REJECTED', 'REJECTED_DESTINATION'), answer(400)],
  temporary: [answer(500), infobipStatus('REJECTED', 'REJECTED_SENDER')],
  unauthorised: answer(401),
  throttled: (retryAfter) => answer(429, '', { 'retry-after': retryAfter }),
  acceptedStatus: 200,
};
