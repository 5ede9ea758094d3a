import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn, sendersOfGroups } from '../gateway/options.ts';
import { findFaultOfVoices } from '../gateway/voices/faults.ts';
import { lacking } from '../lacking.ts';
import { IN_ACCOUNT } from '../registering.ts';
import { listVoices } from './named-voices.ts';
import { type SinchOptions, sinchOptions } from './options.ts';

export const sinch: CarrierType<SinchOptions> = {
  options: sinchOptions,
  channelsOf: channelsNamedIn,
  sendersOf: (options) => sendersOfGroups(options),
  registering: IN_ACCOUNT,
  findFault: ({ voice }) => findFaultOfVoices(voice?.voices, listVoices),
  lacksForReports: ({ sms, rcs }, channel, { publicUrl }) => {
    if (channel === 'voice') return 'never';
    const secret = (channel === 'rcs' ? rcs : sms)?.webhookSecret;
    return lacking({ publicUrl, [`${channel}.webhookSecret`]: secret });
  },
  load: async () => ({ create: (await import('./carrier.ts')).createSinchCarrier }),
};
