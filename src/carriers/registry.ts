/** The types of carriers: which there are, and how each is loaded. */
import type { AnyCarrierOptions, CarrierType } from '../options/carrier-type.ts';

/**
 * All types, in the order of the reference. A new one is a folder here and an entry in this list. The options of all of them are a lot
 * to load, and most services use one or two.
 */
const LOADERS: ReadonlyMap<unknown, () => Promise<CarrierType>> = new Map(
  Object.entries({
    smpp: async () => (await import('./smpp/type.ts')).smpp,
    http: async () => (await import('./http/type.ts')).http,
    twilio: async () => (await import('./twilio/type.ts')).twilio,
    vonage: async () => (await import('./vonage/type.ts')).vonage,
    telnyx: async () => (await import('./telnyx/type.ts')).telnyx,
    plivo: async () => (await import('./plivo/type.ts')).plivo,
    infobip: async () => (await import('./infobip/type.ts')).infobip,
    sinch: async () => (await import('./sinch/type.ts')).sinch,
    aws: async () => (await import('./aws/type.ts')).aws,
    meta: async () => (await import('./meta/type.ts')).meta,
    telegram: async () => (await import('./telegram/type.ts')).telegram,
    google: async () => (await import('./google/type.ts')).google,
    asterisk: async () => (await import('./asterisk/type.ts')).asterisk,
    simulator: async () => (await import('./simulator/type.ts')).simulator,
  }),
);

export const loadAllTypes = (): Promise<readonly CarrierType[]> =>
  Promise.all(Array.from(LOADERS.values(), (load) => load()));

/** The types of these names. A name that is none is left out, so that its carrier is refused. */
export function loadTypesNamed(names: readonly unknown[]): Promise<readonly CarrierType[]> {
  return Promise.all([...new Set(names)].flatMap((name) => LOADERS.get(name)?.() ?? []));
}

/** The type of a carrier with these options, which were checked. */
export async function loadTypeOf({ type }: AnyCarrierOptions): Promise<CarrierType> {
  const load = LOADERS.get(type);
  if (load === undefined)
    throw new Error(`the configuration was checked, but ${type} is not a type of carrier`);
  return load();
}
