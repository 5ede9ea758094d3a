import type { CarrierType } from '../../options/carrier-type.ts';
import { lacking } from '../lacking.ts';
import { type MetaOptions, metaOptions } from './options.ts';

export const meta: CarrierType<MetaOptions> = {
  options: metaOptions,
  channelsOf: () => ['whatsapp'],
  lacksForReports: ({ webhook }, _channel, { publicUrl }) => lacking({ publicUrl, webhook }),
  load: async () => ({ create: (await import('./carrier.ts')).createMetaCarrier }),
};
