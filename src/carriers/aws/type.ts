import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn, sendersOfGroups } from '../gateway/options.ts';
import { findFaultOfVoices } from '../gateway/voices/faults.ts';
import { lacking } from '../lacking.ts';
import { INDIAN_IDS } from '../registering.ts';
import { listVoices } from './named-voices.ts';
import { type AwsOptions, awsOptions } from './options.ts';

export const aws: CarrierType<AwsOptions> = {
  options: awsOptions,
  channelsOf: channelsNamedIn,
  sendersOf: (options) => sendersOfGroups(options, isSenderId),
  registering: INDIAN_IDS,
  findFault: ({ voice }) => findFaultOfVoices(voice?.voices, listVoices),
  lacksForReports: ({ receiptTopic }, _channel, { publicUrl }) => lacking({ publicUrl, receiptTopic }),
  load: async () => ({ create: (await import('./carrier.ts')).createAwsCarrier }),
};

/** Ids and ARNs are of a number, a sender or a pool; which, only AWS knows. */
function isSenderId(identity: string): boolean {
  return /^(?=.*[A-Za-z])[A-Za-z0-9_-]{1,11}$/.test(identity) && !/^(phone|sender|pool|rcs)-/.test(identity);
}
