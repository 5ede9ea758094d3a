/** Makes the carriers of a configuration. */
import type { Carrier, CarrierPorts } from '../core/sending/carrier.ts';
import { type AnyCarrierOptions, typeOf } from '../options/carrier-type.ts';
import { CARRIER_TYPES } from './registry.ts';

/** For carriers that are only inspected and never started. */
export const INERT: CarrierPorts = { receive: async () => {}, log: () => {} };

interface ConfiguredCarriers {
  readonly carriers: Readonly<Record<string, AnyCarrierOptions>>;
}

/** Makes the carriers of a configuration without starting them. Throws an error that names the option if one cannot be made. */
export function createCarriers(
  config: ConfiguredCarriers,
  ports: CarrierPorts,
  publicUrl?: string,
): Promise<Carrier[]> {
  return Promise.all(
    Object.entries(config.carriers).map(async ([name, options]) => {
      const maker = await typeOf(CARRIER_TYPES, options).load();
      const callbackUrl = publicUrl && `${publicUrl}/carriers/${name}/receipts`;
      return maker.create(name, options, { ...ports, callbackUrl });
    }),
  );
}
