import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn, sendersOfGroups } from '../gateway/options.ts';
import { lacking } from '../lacking.ts';
import { IN_ACCOUNT } from '../registering.ts';
import { type PlivoOptions, plivoOptions } from './options.ts';

export const plivo: CarrierType<PlivoOptions> = {
  options: plivoOptions,
  channelsOf: channelsNamedIn,
  sendersOf: ({ sms }) => sendersOfGroups({ sms }),
  registering: IN_ACCOUNT,
  lacksForReports: (_options, _channel, { publicUrl }) => lacking({ publicUrl }),
  load: async () => ({ create: (await import('./carrier.ts')).createPlivoCarrier }),
};
