import type { CarrierType } from '../../options/carrier-type.ts';
import { faultOf } from '../fault.ts';
import { channelsNamedIn, sendersOfGroups } from '../gateway/options.ts';
import { findFaultOfVoices } from '../gateway/voices/faults.ts';
import { lacking } from '../lacking.ts';
import { INDIAN_IDS } from '../registering.ts';
import { listVoices } from './named-voices.ts';
import { type VonageOptions, vonageOptions } from './options.ts';
import { createTokenMaker } from './token.ts';

export const vonage: CarrierType<VonageOptions> = {
  options: vonageOptions,
  channelsOf: channelsNamedIn,
  sendersOf: (options) => sendersOfGroups(options),
  registering: INDIAN_IDS,
  findFault: ({ voice, whatsapp, rcs }) =>
    findFaultOfVoices(voice?.voices, listVoices) ??
    faultOf(() => {
      if (voice !== undefined) createTokenMaker(voice, 'voice');
      if (whatsapp !== undefined) createTokenMaker(whatsapp, 'whatsapp');
      if (rcs !== undefined) createTokenMaker(rcs, 'rcs');
    }),
  lacksForReports: ({ signature }, _channel, { publicUrl }) => lacking({ publicUrl, signature }),
  load: async () => ({ create: (await import('./carrier.ts')).createVonageCarrier }),
};
