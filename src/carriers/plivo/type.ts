import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn } from '../gateway/options.ts';
import { type PlivoOptions, plivoOptions } from './options.ts';

export const plivo: CarrierType<PlivoOptions> = {
  options: plivoOptions,
  channelsOf: channelsNamedIn,
  load: async () => ({ create: (await import('./carrier.ts')).createPlivoCarrier }),
};
