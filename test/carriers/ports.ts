/** What a carrier is handed that nobody listens to. */
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../src/core/seams/random.ts';
import type { CarrierPorts } from '../../src/core/sending/carrier.ts';

export const UNHEARD: CarrierPorts = {
  clock: SYSTEM_CLOCK,
  random: SYSTEM_RANDOM,
  receive: async () => {},
  log: () => {},
};
