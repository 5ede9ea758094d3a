/** The AWS carrier as its tests configure it. */
import { createAwsCarrier } from '../../../src/carriers/aws/carrier.ts';
import type { FetchText } from '../../../src/carriers/aws/certificates.ts';
import { awsOptions } from '../../../src/carriers/aws/options.ts';
import type { CarrierPorts } from '../../../src/core/sending/carrier.ts';
import { decodeOptions } from '../options.ts';

export const KEY_ID = 'AKIDEXAMPLE0123456';
export const SECRET = 'aws-secret-access-key';
export const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:messages';

export const AGENT = 'rcs-c020de2520714385964ebf7b095c4b60';

/** A carrier of SMS, calls and RCS; `url` leads to the test's gateway. */
export const create = (url: string | undefined, ports: CarrierPorts, fetch?: FetchText) =>
  createAwsCarrier(
    'gateway',
    decodeOptions(awsOptions, {
      type: 'aws',
      region: 'eu-central-1',
      accessKeyId: KEY_ID,
      secretAccessKey: SECRET,
      configurationSet: 'codes',
      receiptTopic: TOPIC,
      sms: { from: 'pool-0123' },
      voice: { from: '+12025550199' },
      rcs: { from: AGENT },
      ...(url !== undefined && { url }),
    }),
    ports,
    fetch,
  );
