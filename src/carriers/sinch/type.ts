import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn } from '../gateway/options.ts';
import { type SinchOptions, sinchOptions } from './options.ts';

export const sinch: CarrierType<SinchOptions> = {
  options: sinchOptions,
  channelsOf: channelsNamedIn,
  load: async () => ({ create: (await import('./carrier.ts')).createSinchCarrier }),
};
