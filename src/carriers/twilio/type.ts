import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn } from '../gateway/options.ts';
import { type TwilioOptions, twilioOptions } from './options.ts';

export const twilio: CarrierType<TwilioOptions> = {
  options: twilioOptions,
  channelsOf: channelsNamedIn,
  load: async () => ({ create: (await import('./carrier.ts')).createTwilioCarrier }),
};
