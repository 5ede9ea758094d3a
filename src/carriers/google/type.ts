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
  // A telephone without RCS is refused at once; of one that is off, the end of `ttl` is all that is ever said.
  lacksForReports: ({ clientToken }, _channel, { publicUrl }) => {
    const lack = lacking({ publicUrl, clientToken });
    return lack.length > 0 ? lack : 'too-late';
  },
  load: async () => ({ create: (await import('./carrier.ts')).createGoogleCarrier }),
};
