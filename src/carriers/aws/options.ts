import Type from 'typebox';
import { apiUrl } from '../../options/api-url.ts';
import { carrierOptions, group, secret, text } from '../../options/fields.ts';
import { SENDER_NUMBER } from '../../options/senders.ts';
import { englishFallback, fromOf, voicesByLanguage } from '../gateway/options.ts';

const identity = {
  pattern: `^(${SENDER_NUMBER}|(?=.*[A-Za-z])[A-Za-z0-9_:/+-]{1,256})$`,
  expected: 'a number such as "+12025550123", or the id or ARN of a number, a sender or a pool',
};

/** A pool would go on by SMS by itself. */
const agent = {
  pattern: '^(arn:[A-Za-z0-9:-]{1,100}/)?rcs-[A-Za-z0-9-]{1,64}$',
  expected: 'the id of an RCS agent such as rcs-a1b2c3d4, or its ARN',
};

export const awsOptions = carrierOptions('aws', 'AWS End User Messaging: SMS, calls and RCS.', {
  region: text('Region of the numbers.', {
    pattern: '^[a-z]{2}(-[a-z]+)+-[0-9]$',
    expected: 'a region such as eu-central-1',
  }),
  accessKeyId: text('Access key of a user who may send.', {
    pattern: '^[A-Z0-9]{16,128}$',
    expected: 'an access key id',
  }),
  secretAccessKey: secret('Its secret.'),
  configurationSet: Type.Optional(
    text('Configuration set whose event destination is the topic of `receiptTopic`.', {
      pattern: '^[A-Za-z0-9_:/-]{1,256}$',
      expected: 'the name of a configuration set, or its ARN',
    }),
  ),
  receiptTopic: Type.Optional(
    text(
      'SNS topic that reports the outcome of messages; `/carriers/NAME/receipts` subscribes to it. Without it there are no receipts.',
      {
        pattern: '^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}$',
        expected: 'the ARN of an SNS topic',
      },
    ),
  ),
  sms: Type.Optional(group('Sends SMS.', fromOf(text('Origination identity for SMS.', identity)))),
  voice: Type.Optional(
    group('Makes calls.', {
      ...fromOf(text('Origination identity for calls.', identity)),
      voices: voicesByLanguage('VICKI'),
      englishFallback,
    }),
  ),
  rcs: Type.Optional(group('Sends RCS messages.', fromOf(text('Id or ARN of the RCS agent.', agent)))),
  url: Type.Optional(
    apiUrl('Address of the API if it is not the usual one of the region, such as a VPC endpoint.'),
  ),
});

export type AwsOptions = Type.StaticDecode<typeof awsOptions>;
