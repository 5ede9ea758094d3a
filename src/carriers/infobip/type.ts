import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn } from '../gateway/options.ts';
import { type InfobipOptions, infobipOptions } from './options.ts';

export const infobip: CarrierType<InfobipOptions> = {
  options: infobipOptions,
  channelsOf: channelsNamedIn,
  load: async () => ({ create: (await import('./carrier.ts')).createInfobipCarrier }),
};
