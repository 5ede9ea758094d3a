import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn, sendersOfGroups } from '../gateway/options.ts';
import { IN_ACCOUNT } from '../registering.ts';
import { type SinchOptions, sinchOptions } from './options.ts';

export const sinch: CarrierType<SinchOptions> = {
  options: sinchOptions,
  channelsOf: channelsNamedIn,
  sendersOf: (options) => sendersOfGroups(options),
  registering: IN_ACCOUNT,
  load: async () => ({ create: (await import('./carrier.ts')).createSinchCarrier }),
};
