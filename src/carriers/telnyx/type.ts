import type { CarrierType } from '../../options/carrier-type.ts';
import { channelsNamedIn, sendersOfGroups } from '../gateway/options.ts';
import { findFaultOfVoices } from '../gateway/voices/faults.ts';
import { lacking } from '../lacking.ts';
import { IN_ACCOUNT } from '../registering.ts';
import { listVoices } from './named-voices.ts';
import { type TelnyxOptions, telnyxOptions } from './options.ts';

export const telnyx: CarrierType<TelnyxOptions> = {
  options: telnyxOptions,
  channelsOf: channelsNamedIn,
  sendersOf: (options) => sendersOfGroups(options),
  registering: IN_ACCOUNT,
  findFault: ({ voice }) => findFaultOfVoices(voice?.voices, listVoices),
  lacksForReports: ({ publicKey }, channel, { publicUrl }) =>
    lacking({ publicUrl, ...(channel !== 'voice' && { publicKey }) }),
  load: async () => ({ create: (await import('./carrier.ts')).createTelnyxCarrier }),
};
