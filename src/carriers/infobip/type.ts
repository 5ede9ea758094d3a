import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn, sendersOfGroups } from '../gateway/options.ts';
import { lacking } from '../lacking.ts';
import { INDIAN_IDS } from '../registering.ts';
import { type InfobipOptions, infobipOptions } from './options.ts';

export const infobip: CarrierType<InfobipOptions> = {
  options: infobipOptions,
  channelsOf: channelsNamedIn,
  sendersOf: (options) => sendersOfGroups(options),
  registering: INDIAN_IDS,
  lacksForReports: (_options, _channel, { publicUrl }) => lacking({ publicUrl }),
  load: async () => ({ create: (await import('./carrier.ts')).createInfobipCarrier }),
};
