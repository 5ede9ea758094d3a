import type { CarrierType } from '../../options/carrier-type.ts';
import { simulatorOptions } from './options.ts';

export const simulator: CarrierType = {
  options: simulatorOptions,
  channelsOf: () => ['sms', 'voice'],
  load: async () => {
    const { createSimulatorCarrier } = await import('./carrier.ts');
    return { create: (name, _options, ports) => createSimulatorCarrier(name, ports) };
  },
};
