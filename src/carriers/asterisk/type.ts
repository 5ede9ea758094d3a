import type { CarrierType } from '../../options/carrier-type.ts';
import { type AsteriskOptions, asteriskOptions, findFault } from './options.ts';

export const asterisk: CarrierType<AsteriskOptions> = {
  options: asteriskOptions,
  channelsOf: () => ['voice'],
  findFault,
  load: async () => ({ create: (await import('./carrier.ts')).createAsteriskCarrier }),
};
