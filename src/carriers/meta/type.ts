import type { CarrierType } from '../../options/carrier-type.ts';
import { type MetaOptions, metaOptions } from './options.ts';

export const meta: CarrierType<MetaOptions> = {
  options: metaOptions,
  channelsOf: () => ['whatsapp'],
  load: async () => ({ create: (await import('./carrier.ts')).createMetaCarrier }),
};
