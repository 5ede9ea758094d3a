import type { CarrierType } from '../../options/carrier-type.ts';
import { faultOf } from '../fault.ts';
import { lacking } from '../lacking.ts';
import { type GoogleOptions, googleOptions } from './options.ts';
import { readServiceAccount } from './service-account.ts';

export const google: CarrierType<GoogleOptions> = {
  options: googleOptions,
  channelsOf: () => ['rcs'],
  sendersOf: ({ from, senders }) => [
    { channels: ['rcs'], group: [], short: 'from', one: from, senders, isName: () => false },
  ],
  findFault: ({ serviceAccount }) => faultOf(() => void readServiceAccount(serviceAccount)),
  lacksForReports: ({ clientToken }, _channel, { publicUrl }) => lacking({ publicUrl, clientToken }),
  load: async () => ({ create: (await import('./carrier.ts')).createGoogleCarrier }),
};
