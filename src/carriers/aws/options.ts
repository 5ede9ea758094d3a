import Type from 'typebox';
import { carrierOptions, group, secret } from '../../options/fields.ts';
import { apiUrl, connections, englishFallback } from '../gateway/options.ts';

const identity = {
  pattern: '^[A-Za-z0-9_:/+-]{1,256}$',
  expected: 'a number such as "+12025550123", or the id or ARN of a number, a sender or a pool',
};

export const awsOptions = carrierOptions('aws', 'AWS End User Messaging SMS and Voice.', {
  region: Type.String({
    pattern: '^[a-z]{2}(-[a-z]+)+-[0-9]$',
    expected: 'a region such as eu-central-1',
    description: 'Region of the numbers.',
  }),
  accessKeyId: Type.String({
    pattern: '^[A-Z0-9]{16,128}$',
    expected: 'an access key id',
    description: 'Access key of a user who may send.',
  }),
  secretAccessKey: secret({ description: 'Its secret.' }),
  configurationSet: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_:/-]{1,256}$',
      description: 'Configuration set whose event destination is the topic of `receiptTopic`.',
    }),
  ),
  receiptTopic: Type.Optional(
    Type.String({
      pattern: '^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}$',
      expected: 'the ARN of an SNS topic',
      description:
        'SNS topic that reports the outcome of messages; `/carriers/NAME/receipts` subscribes to it. Without it there are no receipts.',
    }),
  ),
  sms: Type.Optional(
    group('Sends SMS.', { from: Type.String({ ...identity, description: 'Origination identity for SMS.' }) }),
  ),
  voice: Type.Optional(
    group('Makes calls.', {
      from: Type.String({ ...identity, description: 'Origination identity for calls.' }),
      englishFallback,
    }),
  ),
  url: Type.Optional(
    apiUrl({
      description: 'Address of the API if it is not the usual one of the region, such as a VPC endpoint.',
    }),
  ),
  connections,
});

export type AwsOptions = Type.StaticDecode<typeof awsOptions>;
