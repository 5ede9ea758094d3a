import { CHANNEL_NAMES } from '../../core/destination/channel.ts';
import type { CarrierType } from '../../options/carrier-type.ts';
import { simulatorOptions } from './options.ts';

export const simulator: CarrierType = {
  options: simulatorOptions,
  channelsOf: () => CHANNEL_NAMES,
  load: async () => {
    const { createSimulatorCarrier } = await import('./carrier.ts');
    return { create: (name, _options, ports) => createSimulatorCarrier(name, ports) };
  },
};
