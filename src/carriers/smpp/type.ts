import type { CarrierType } from '../../options/carrier-type.ts';
import { type SmppOptions, smppOptions } from './options.ts';

export const smpp: CarrierType<SmppOptions> = {
  options: smppOptions,
  channelsOf: () => ['sms'],
  load: async () => ({ create: (await import('./carrier.ts')).createSmppCarrier }),
};
