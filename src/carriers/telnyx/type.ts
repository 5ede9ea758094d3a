import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn, sendersOfGroups } from '../gateway/options.ts';
import { IN_ACCOUNT } from '../registering.ts';
import { type TelnyxOptions, telnyxOptions } from './options.ts';

export const telnyx: CarrierType<TelnyxOptions> = {
  options: telnyxOptions,
  channelsOf: channelsNamedIn,
  sendersOf: (options) => sendersOfGroups(options),
  registering: IN_ACCOUNT,
  load: async () => ({ create: (await import('./carrier.ts')).createTelnyxCarrier }),
};
