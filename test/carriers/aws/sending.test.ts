import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AWS_ERRORS } from '../../../src/carriers/aws/errors.ts';
import { signRequest } from '../../../src/carriers/aws/sigv4.ts';
import { carrierContract, message } from '../contract.ts';
import { assertErrorTable } from '../error-table.ts';
import { answer, type GatewayRequest } from '../gateway.ts';
import { create, KEY_ID, SECRET } from './rig.ts';

const refuse = (status: number, type: string, more: object = {}) =>
  answer(status, {
    __type: `com.amazonaws.pinpointsmsvoicev2#${type}`,
    Message: `482913 ${SECRET}`,
    ...more,
  });

const says = {
  accepted: (reference: string, status = 200) => answer(status, { MessageId: reference }),
  permanent: [
    refuse(400, 'ValidationException'),
    refuse(400, 'ConflictException', { Reason: 'DESTINATION_PHONE_NUMBER_OPTED_OUT' }),
    answer(400),
  ],
  temporary: [refuse(500, 'InternalServerException'), refuse(400, 'ResourceNotFoundException'), answer(503)],
  unauthorised: refuse(403, 'UnrecognizedClientException'),
  throttled: (retryAfter: string) =>
    answer(429, { __type: 'ThrottlingException' }, { 'retry-after': retryAfter }),
  acceptedStatus: 200,
};

/** Signs the request once more, step by step as AWS documents it. */
function assertSigned({ headers, body }: GatewayRequest): void {
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

carrierContract({
  name: 'aws, SMS',
  create,
  asksForReceipts: true,
  secrets: [SECRET],
  says,
  unreadable: 'accepted',
  verify(request, { destination, text }) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, '/');
    assert.equal(request.headers['content-type'], 'application/x-amz-json-1.0');
    assert.equal(request.headers['x-amz-target'], 'PinpointSMSVoiceV2.SendTextMessage');
    assertSigned(request);
    assert.deepEqual(JSON.parse(request.body), {
      DestinationPhoneNumber: destination.address,
      OriginationIdentity: 'pool-0123',
      MessageBody: text,
      MessageType: 'TRANSACTIONAL',
      TimeToLive: 259_200,
      ConfigurationSetName: 'codes',
    });
  },
});

carrierContract({
  name: 'aws, voice',
  create,
  message: { ...message, channel: 'voice', text: '4 8 < 2 & 9' },
  asksForReceipts: true,
  secrets: [SECRET],
  says,
  unreadable: 'accepted',
  verify(request, { destination }) {
    assert.equal(request.headers['x-amz-target'], 'PinpointSMSVoiceV2.SendVoiceMessage');
    assertSigned(request);
    assert.deepEqual(JSON.parse(request.body), {
      DestinationPhoneNumber: destination.address,
      OriginationIdentity: '+12025550199',
      MessageBody: '<speak><break time="1s"/>4 8 &lt; 2 &amp; 9<break time="1s"/></speak>',
      MessageBodyTextType: 'SSML',
      VoiceId: 'ASTRID',
      TimeToLive: 259_200,
      ConfigurationSetName: 'codes',
    });
  },
});

test('every documented exception and reason of sending', () =>
  assertErrorTable(AWS_ERRORS, {
    create,
    refuse: (code) =>
      /^[A-Z_]+$/.test(code) ? refuse(400, 'ConflictException', { Reason: code }) : refuse(400, code),
    throttled: 'ThrottlingException',
    temporary: 'InternalServerException',
    permanent:
      'DAILY_DESTINATION_CALL_LIMIT DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE ' +
      'DESTINATION_PHONE_NUMBER_OPTED_OUT ValidationException',
    configuration:
      'DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION DESTINATION_PHONE_NUMBER_NOT_VERIFIED AccessDeniedException ' +
      'ConflictException ResourceNotFoundException ServiceQuotaExceededException ExpiredTokenException ' +
      'IncompleteSignature InvalidClientTokenId InvalidSignatureException MissingAuthenticationToken ' +
      'UnrecognizedClientException',
  }));
