import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn, sendersOfGroups } from '../gateway/options.ts';
import { INDIAN_IDS } from '../registering.ts';
import { type InfobipOptions, infobipOptions } from './options.ts';

export const infobip: CarrierType<InfobipOptions> = {
  options: infobipOptions,
  channelsOf: channelsNamedIn,
  sendersOf: (options) => sendersOfGroups(options),
  registering: INDIAN_IDS,
  load: async () => ({ create: (await import('./carrier.ts')).createInfobipCarrier }),
};
