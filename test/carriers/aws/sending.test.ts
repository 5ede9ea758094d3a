import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AWS_ERRORS } from '../../../src/carriers/aws/errors.ts';
import { createMessageMaker } from '../../../src/carriers/aws/request.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { carrierContract, message } from '../contract.ts';
import { assertErrorTable } from '../error-table.ts';
import { assertSigned, refuse, says } from './api.ts';
import { create, KEY_ID, SECRET } from './rig.ts';

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

test('a message of AWS is not valid after its code has expired', () => {
  const account = { region: 'eu-central-1', accessKeyId: KEY_ID, secretAccessKey: SECRET };
  const make = createMessageMaker(
    SYSTEM_CLOCK,
    account,
    new URL('https://sms-voice.eu-central-1.amazonaws.com'),
    {
      from: 'pool-0123',
    },
  );
  const request = make({ ...message, expiresAt: Date.now() + 60_500 });
  const { TimeToLive } = JSON.parse('kind' in request ? '{}' : (request.body ?? ''));
  assert.equal(TimeToLive, 60);
});

test('every documented exception and reason of sending', () =>
  assertErrorTable(AWS_ERRORS, {
    create,
    refuse: (code) =>
      /^[A-Z_]+$/.test(code) ? refuse(400, 'ValidationException', { Reason: code }) : refuse(400, code),
    throttled: 'ThrottlingException',
    temporary: 'InternalServerException',
    permanent:
      'DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE DESTINATION_PHONE_NUMBER_OPTED_OUT ' +
      'DAILY_DESTINATION_CALL_LIMIT MAXIMUM_SIZE_EXCEEDED',
    unclear: 'FIELD_VALIDATION_FAILED INVALID_PARAMETER OTHER ValidationException',
    configuration:
      'ACCOUNT_DISABLED INSUFFICIENT_ACCOUNT_REPUTATION MESSAGE_TYPE_MISMATCH NUMBER_CAPABILITIES_MISMATCH ' +
      'RESOURCE_NOT_ACTIVE CREATE_REGISTRATION_VERSION_NOT_ALLOWED DELETION_PROTECTION_ENABLED ' +
      'DISASSOCIATE_REGISTRATION_NOT_ALLOWED DISCARD_REGISTRATION_VERSION_NOT_ALLOWED ' +
      'EDIT_REGISTRATION_FIELD_VALUES_NOT_ALLOWED EVENT_DESTINATION_MISMATCH KEYWORD_MISMATCH LAST_PHONE_NUMBER ' +
      'NOTIFY_CONFIGURATION_NOT_ACTIVE OPT_OUT_LIST_MISMATCH PHONE_NUMBER_ASSOCIATED_TO_POOL ' +
      'PHONE_NUMBER_ASSOCIATED_TO_REGISTRATION PHONE_NUMBER_NOT_ASSOCIATED_TO_POOL ' +
      'PHONE_NUMBER_NOT_IN_REGISTRATION_REGION POOL_ASSOCIATED_TO_NOTIFY_CONFIGURATION ' +
      'PROTECT_CONFIGURATION_ASSOCIATED_WITH_CONFIGURATION_SET PROTECT_CONFIGURATION_IS_ACCOUNT_DEFAULT ' +
      'PROTECT_CONFIGURATION_NOT_ASSOCIATED_WITH_CONFIGURATION_SET ' +
      'RCS_AGENT_ALREADY_ASSOCIATED_TO_REGISTRATION_TYPE RCS_AGENT_ASSOCIATED_TO_POOL ' +
      'REGISTRATION_ALREADY_SUBMITTED REGISTRATION_NOT_COMPLETE RESOURCE_ALREADY_ASSOCIATED RESOURCE_ALREADY_EXISTS ' +
      'RESOURCE_DELETION_NOT_ALLOWED RESOURCE_MODIFICATION_NOT_ALLOWED RESOURCE_NOT_EMPTY ' +
      'SELF_MANAGED_OPT_OUTS_MISMATCH SENDER_ID_ASSOCIATED_TO_POOL SUBMIT_REGISTRATION_VERSION_NOT_ALLOWED ' +
      'TWO_WAY_CONFIG_MISMATCH VERIFICATION_ALREADY_COMPLETE VERIFICATION_CODE_EXPIRED ' +
      'DAILY_NOTIFY_TIER_MESSAGE_LIMIT MONTHLY_SPEND_LIMIT_REACHED_FOR_MEDIA MONTHLY_SPEND_LIMIT_REACHED_FOR_NOTIFY ' +
      'MONTHLY_SPEND_LIMIT_REACHED_FOR_RCS MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT ' +
      'MONTHLY_SPEND_LIMIT_REACHED_FOR_VOICE ASSOCIATIONS_PER_REGISTRATION CONFIGURATION_SETS_PER_ACCOUNT ' +
      'EVENT_DESTINATIONS_PER_CONFIGURATION_SET KEYWORDS_PER_PHONE_NUMBER KEYWORDS_PER_POOL ' +
      'NOTIFY_CONFIGURATIONS_PER_ACCOUNT OPT_OUT_LISTS_PER_ACCOUNT ORIGINATION_IDENTITIES_PER_POOL ' +
      'PHONE_NUMBERS_PER_ACCOUNT PHONE_NUMBERS_PER_REGISTRATION POOLS_PER_ACCOUNT ' +
      'PROTECT_CONFIGURATIONS_PER_ACCOUNT RCS_AGENTS_PER_ACCOUNT REGISTRATIONS_PER_ACCOUNT ' +
      'REGISTRATION_ATTACHMENTS_CREATED_PER_DAY REGISTRATION_ATTACHMENTS_PER_ACCOUNT ' +
      'REGISTRATION_VERSIONS_CREATED_PER_DAY SENDER_IDS_PER_ACCOUNT TAGS_PER_RESOURCE VERIFICATION_ATTEMPTS_PER_DAY ' +
      'VERIFIED_DESTINATION_NUMBERS_PER_ACCOUNT CHANNEL_NOT_ENABLED INVALID_ARN RESOURCE_NOT_ACCESSIBLE ' +
      'VOICE_CAPABILITY_NOT_AVAILABLE ATTACHMENT_TYPE_NOT_SUPPORTED CANNOT_ADD_OPTED_OUT_NUMBER CANNOT_PARSE ' +
      'INVALID_FILTER_VALUES INVALID_NEXT_TOKEN INVALID_REGISTRATION_ASSOCIATION INVALID_REQUEST ' +
      'MEDIA_TYPE_NOT_SUPPORTED MISSING_PARAMETER PARAMETERS_CANNOT_BE_USED_TOGETHER ' +
      'PHONE_NUMBER_CANNOT_BE_OPTED_IN PHONE_NUMBER_CANNOT_BE_RELEASED REGISTRATION_FIELD_CANNOT_BE_DELETED ' +
      'REQUESTED_SPEND_LIMIT_HIGHER_THAN_SERVICE_LIMIT TWO_WAY_CHANNEL_NOT_PRESENT TWO_WAY_NOT_ENABLED ' +
      'TWO_WAY_NOT_SUPPORTED_IN_COUNTRY TWO_WAY_NOT_SUPPORTED_IN_REGION TWO_WAY_TOPIC_NOT_PRESENT UNKNOWN_OPERATION ' +
      'UNKNOWN_REGISTRATION_FIELD UNKNOWN_REGISTRATION_SECTION UNKNOWN_REGISTRATION_TYPE ' +
      'UNKNOWN_REGISTRATION_VERSION UNSPECIFIED_PARAMETER_NOT_SUPPORTED VERIFICATION_CODE_MISMATCH ' +
      'AccessDeniedException ConflictException ResourceNotFoundException ServiceQuotaExceededException ' +
      'ExpiredTokenException IncompleteSignature InvalidClientTokenId InvalidSignatureException ' +
      'MissingAuthenticationToken UnrecognizedClientException',
    coverage:
      'DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION DESTINATION_PHONE_NUMBER_NOT_VERIFIED ' +
      'NO_ORIGINATION_IDENTITIES_FOUND COUNTRY_CODE_MISMATCH COUNTRY_NOT_ENABLED DESTINATION_COUNTRY_BLOCKED ' +
      'INTERNATIONAL_SENDING_NOT_SUPPORTED INVALID_IDENTITY_FOR_DESTINATION_COUNTRY PRICE_OVER_THRESHOLD ' +
      'SENDER_ID_NOT_REGISTERED SENDER_ID_NOT_SUPPORTED SENDER_ID_REQUIRES_REGISTRATION',
  }));
