import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn } from '../gateway/options.ts';
import { type TelnyxOptions, telnyxOptions } from './options.ts';

export const telnyx: CarrierType<TelnyxOptions> = {
  options: telnyxOptions,
  channelsOf: channelsNamedIn,
  load: async () => ({ create: (await import('./carrier.ts')).createTelnyxCarrier }),
};
