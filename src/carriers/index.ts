/** Every type of carrier there is. A new one is a folder here, a line in this table, and its options in the configuration. */
import type { CarrierConfig, Config } from '../config/schema.ts';
import type { Carrier, CarrierPorts } from '../core/carrier.ts';
import { createSimulatorCarrier } from './simulator/carrier.ts';

type Create = (name: string, options: never, ports: CarrierPorts) => Carrier;

// Loaded when a configuration names them: a service with one carrier starts without the code of all others.
const TYPES: Record<CarrierConfig['type'], () => Promise<Create>> = {
  simulator: async () => (name, _options, ports) => createSimulatorCarrier(name, ports),
  smpp: async () => (await import('./smpp/carrier.ts')).createSmppCarrier,
  asterisk: async () => (await import('./asterisk/carrier.ts')).createAsteriskCarrier,
  http: async () => (await import('./http/carrier.ts')).createHttpCarrier,
  twilio: async () => (await import('./twilio/carrier.ts')).createTwilioCarrier,
  vonage: async () => (await import('./vonage/carrier.ts')).createVonageCarrier,
  telnyx: async () => (await import('./telnyx/carrier.ts')).createTelnyxCarrier,
  plivo: async () => (await import('./plivo/carrier.ts')).createPlivoCarrier,
  infobip: async () => (await import('./infobip/carrier.ts')).createInfobipCarrier,
  sinch: async () => (await import('./sinch/carrier.ts')).createSinchCarrier,
  aws: async () => (await import('./aws/carrier.ts')).createAwsCarrier,
};

/** For carriers that are made to be looked at and never started: they hear of nothing, and nobody hears of them. */
export const INERT: CarrierPorts = { receive: async () => {}, log: () => {} };

/** Makes the carriers of a configuration; none is started. Throws, naming the option, when one cannot be made so. */
export function createCarriers(config: Config, ports: CarrierPorts, publicUrl?: string): Promise<Carrier[]> {
  return Promise.all(
    Object.entries(config.carriers).map(async ([name, options]) => {
      const create = await TYPES[options.type]();
      const callbackUrl = publicUrl && `${publicUrl}/carriers/${name}/receipts`;
      return create(name, options as never, { ...ports, callbackUrl });
    }),
  );
}
