import type { CarrierType } from '../../options/carrier-type.ts';
import { isName } from '../../options/senders.ts';
import { INDIAN_IDS } from '../registering.ts';
import { findFault } from './fault.ts';
import { type SmppOptions, smppOptions } from './options.ts';

export const smpp: CarrierType<SmppOptions> = {
  options: smppOptions,
  channelsOf: () => ['sms'],
  sendersOf: ({ source, senders }) => [
    { channels: ['sms'], group: [], short: 'source', one: source, senders, isName },
  ],
  registering: INDIAN_IDS,
  findFault,
  load: async () => ({ create: (await import('./carrier.ts')).createSmppCarrier }),
};
