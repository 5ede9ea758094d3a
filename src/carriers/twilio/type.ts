import type { CarrierType } from '../../options/carrier-type.ts';
import { isSenderName } from '../../options/senders.ts';
import { channelsNamedIn, sendersOfGroups } from '../gateway/options.ts';
import { findFaultOfVoices } from '../gateway/voices/faults.ts';
import { lacking } from '../lacking.ts';
import { IN_ACCOUNT } from '../registering.ts';
import { listVoices } from './named-voices.ts';
import { type TwilioOptions, twilioOptions } from './options.ts';

export const twilio: CarrierType<TwilioOptions> = {
  options: twilioOptions,
  channelsOf: channelsNamedIn,
  sendersOf: (options) =>
    sendersOfGroups(options, (sender) => isSenderName(sender) && !/^MG[0-9a-f]{32}$/.test(sender)),
  registering: IN_ACCOUNT,
  findFault: ({ voice }) => findFaultOfVoices(voice?.voices, listVoices),
  lacksForReports: (_options, _channel, { publicUrl }) => lacking({ publicUrl }),
  load: async () => ({ create: (await import('./carrier.ts')).createTwilioCarrier }),
};
