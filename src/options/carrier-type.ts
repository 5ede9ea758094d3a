/** What the configuration and whoever makes carriers know of a type of carrier. */
import type { TLiteral, TProperties, TSchema } from 'typebox';
import type { Carrier, CarrierPorts } from '../core/carrier.ts';
import type { Channel } from '../core/destination/channel.ts';

/** What of a carrier's options may be looked at without knowing its type. */
export interface AnyCarrierOptions {
  readonly type: string;
  /** Where it is spoken to, if that is an address. */
  readonly url?: string;
  /** Whether that may be in clear to another machine. */
  readonly insecure?: boolean;
}

interface CarrierMaker<Options> {
  /** Opens nothing yet. Throws, naming the option, when the carrier cannot be made so. */
  create(name: string, options: Options, ports: CarrierPorts): Carrier;
}

/**
 * Options are handed over as `options` has read them. The code behind a type is loaded when a configuration names it, and only
 * then: nothing here may import more than reading the options takes.
 */
export interface CarrierType<Options extends AnyCarrierOptions = AnyCarrierOptions> {
  /** The type's own options; the literal `type` among them is its name. */
  readonly options: TSchema & { readonly properties: TProperties & { readonly type: TLiteral<string> } };
  /** The channels that a carrier of these options serves. */
  channelsOf(options: Options): readonly Channel[];
  /** What is wrong with options that are each acceptable: `option: fault`, or null. */
  findFault?(options: Options): string | null;
  load(): Promise<CarrierMaker<Options>>;
}

/** The type that a carrier of these options is of. */
export function typeOf(types: readonly CarrierType[], { type }: AnyCarrierOptions): CarrierType {
  const found = types.find(({ options }) => options.properties.type.const === type);
  if (found === undefined)
    throw new Error(`the configuration was checked, yet ${type} is no type of carrier`);
  return found;
}
