import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn } from '../gateway/options.ts';
import { type AwsOptions, awsOptions } from './options.ts';

export const aws: CarrierType<AwsOptions> = {
  options: awsOptions,
  channelsOf: channelsNamedIn,
  load: async () => ({ create: (await import('./carrier.ts')).createAwsCarrier }),
};
