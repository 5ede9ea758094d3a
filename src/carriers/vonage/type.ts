import type { CarrierType } from '../../options/carrier-type.ts';
import { faultOf } from '../fault.ts';
import { channelsNamedIn } from '../gateway/options.ts';
import { type VonageOptions, vonageOptions } from './options.ts';
import { createTokenMaker } from './token.ts';

export const vonage: CarrierType<VonageOptions> = {
  options: vonageOptions,
  channelsOf: channelsNamedIn,
  findFault: ({ voice }) =>
    voice === undefined ? null : faultOf(() => createTokenMaker(voice.applicationId, voice.privateKey)),
  load: async () => ({ create: (await import('./carrier.ts')).createVonageCarrier }),
};
