import type { CarrierType } from '../../options/carrier-type.ts';
import { type AsteriskOptions, asteriskOptions, findAsteriskFault } from './options.ts';

export const asterisk: CarrierType<AsteriskOptions> = {
  options: asteriskOptions,
  channelsOf: ({ flashcall }) => (flashcall === undefined ? ['voice'] : ['voice', 'flashcall']),
  sendersOf: ({ callerId, senders }) => [
    {
      channels: ['voice'],
      group: [],
      short: 'callerId',
      one: callerId,
      senders,
      isOptional: true,
      isName: () => false,
    },
  ],
  findFault: findAsteriskFault,
  load: async () => ({ create: (await import('./carrier.ts')).createAsteriskCarrier }),
};
