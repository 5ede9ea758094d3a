import type { CarrierType } from '../../options/carrier-type.ts';
import { findTemplateFault } from '../gateway/template.ts';
import { type MetaOptions, metaOptions } from './options.ts';

export const meta: CarrierType<MetaOptions> = {
  options: metaOptions,
  channelsOf: () => ['whatsapp'],
  findFault: (options) => findTemplateFault(options, ''),
  load: async () => ({ create: (await import('./carrier.ts')).createMetaCarrier }),
};
