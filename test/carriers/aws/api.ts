/** How the API of AWS answers, and what a request to it is signed with. */
import assert from 'node:assert/strict';
import { signRequest } from '../../../src/carriers/aws/sigv4.ts';
import type { CarrierDriver } from '../contract.ts';
import { answer, type GatewayRequest } from '../gateway.ts';
import { KEY_ID, SECRET } from './rig.ts';

export const refuse = (status: number, type: string, more: object = {}) =>
  answer(status, {
    __type: `com.amazonaws.pinpointsmsvoicev2#${type}`,
    Message: `482913 ${SECRET}`,
    ...more,
  });

export const says: CarrierDriver['says'] = {
  accepted: (reference, status = 200) => answer(status, { MessageId: reference }),
  permanent: [
    refuse(400, 'ValidationException'),
    refuse(400, 'ConflictException', { Reason: 'DESTINATION_PHONE_NUMBER_OPTED_OUT' }),
    answer(400),
  ],
  temporary: [
    refuse(500, 'InternalServerException'),
    refuse(400, 'ResourceNotFoundException'),
    refuse(400, 'ValidationException', { Reason: 'SENDER_ID_NOT_REGISTERED' }),
    answer(503),
  ],
  unauthorised: refuse(403, 'UnrecognizedClientException'),
  throttled: (retryAfter) => answer(429, { __type: 'ThrottlingException' }, { 'retry-after': retryAfter }),
  acceptedStatus: 200,
};

/** Signs the request again, step by step as AWS documents it. */
export function assertSigned({ headers, body }: GatewayRequest): void {
  const [, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE0123456\/\d{8}\/eu-central-1\/sms-voice\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  assert.equal(names, 'content-type;host;x-amz-date;x-amz-target');
  const {
    host = '',
    'x-amz-date': date = '',
    'x-amz-target': target = '',
    'content-type': type = '',
  } = headers;
  const at = new Date(String(date).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  assert.ok(Math.abs(Date.now() - at.getTime()) < 60_000);
  const scope = {
    accessKeyId: KEY_ID,
    secretAccessKey: SECRET,
    region: 'eu-central-1',
    service: 'sms-voice',
  };
  const signing = { host, 'x-amz-target': String(target), 'content-type': type };
  const again = signRequest(scope, { method: 'POST', path: '/', headers: signing, body }, at);
  assert.equal(again.authorization?.endsWith(`Signature=${signature}`), true);
}
