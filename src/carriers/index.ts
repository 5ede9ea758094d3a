/** The carriers of a configuration, made. */
import type { Carrier, CarrierPorts } from '../core/carrier.ts';
import { type AnyCarrierOptions, typeOf } from '../options/carrier-type.ts';
import { CARRIER_TYPES } from './registry.ts';

/** For carriers that are made to be looked at and never started: they hear of nothing, and nobody hears of them. */
export const INERT: CarrierPorts = { receive: async () => {}, log: () => {} };

interface ConfiguredCarriers {
  readonly carriers: Readonly<Record<string, AnyCarrierOptions>>;
}

/** Makes the carriers of a configuration; none is started. Throws, naming the option, when one cannot be made so. */
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
