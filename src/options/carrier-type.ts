/** What the configuration, and the code that makes carriers, know about a type of carrier. */
import type { TLiteral, TProperties, TSchema } from 'typebox';
import type { Channel } from '../core/destination/channel.ts';
import type { Carrier, CarrierPorts } from '../core/sending/carrier.ts';
import type { CodePolicy } from '../core/verification/code.ts';
import type { ConfiguredSenders } from './senders.ts';

/** The options that may be read without knowing the carrier's type. */
export interface AnyCarrierOptions {
  readonly type: string;
  /** How many messages may be under way at once, if the operator has decided. */
  readonly concurrency?: number | undefined;
  /** The carrier's address, if it is a URL. */
  readonly url?: string;
  /** Whether the connection to another machine may be unencrypted. */
  readonly insecure?: boolean;
}

/**
 * How a message carries the ids of a text that is registered in its country: in fields of the request, or not, because they
 * are set up in the account with the carrier, or because the carrier has no fields for them.
 */
type HowRegistered = 'sent' | 'in-account' | 'no-fields';

export interface Registering<Options> {
  of(options: Options, country: string): HowRegistered;
  /** The option that says that they are set up in the account; absent if requests have fields for them. */
  readonly inAccount?: string;
  /** The setting with which requests would have fields for the ids of a country, where there is one: `option: value`. */
  fieldsWith?(country: string): string | undefined;
}

interface CarrierMaker<Options> {
  /** Opens nothing yet. Throws an error that names the option if the carrier cannot be made. */
  create(name: string, options: Options, ports: CarrierPorts): Carrier;
}

/** What a carrier's options must fit. */
interface ServiceFacts {
  readonly publicUrl?: string | undefined;
  readonly code?: Pick<CodePolicy, 'length' | 'alphabet'> & {
    /** Of the codes of missed calls. */
    readonly endingLength: number;
  };
}

/**
 * Options arrive here as `options` has read them. The code behind a type is loaded only when a configuration names it,
 * so files here import only what reading the options takes.
 */
export interface CarrierType<Options extends AnyCarrierOptions = AnyCarrierOptions> {
  /** The type's own options. The literal `type` among them is its name. */
  readonly options: TSchema & { readonly properties: TProperties & { readonly type: TLiteral<string> } };
  /** The channels that a carrier of these options serves. */
  channelsOf(options: Options): readonly Channel[];
  /** The senders of each channel that has one. */
  sendersOf?(options: Options): readonly ConfiguredSenders[];
  /** Absent: nothing that it sends leaves the machine, or it sends no SMS. */
  readonly registering?: Registering<Options>;
  /** What is wrong with the combination of options that are each acceptable: `option: fault`, or null. */
  findFault?(options: Options, service: ServiceFacts): string | null;
  /**
   * Options, `publicUrl` among them, without which it does not report what became of a message that it took on that channel. `never`:
   * it has no reports there. `too-late`: with these it
   * reports, but that it did not deliver it says only when the code has expired. Absent, or empty: it reports.
   */
  lacksForReports?(
    options: Options,
    channel: Channel,
    service: Pick<ServiceFacts, 'publicUrl'>,
  ): readonly string[] | 'never' | 'too-late';
  load(): Promise<CarrierMaker<Options>>;
}

/** The type of a carrier with these options. */
export function typeOf(types: readonly CarrierType[], { type }: AnyCarrierOptions): CarrierType {
  const found = types.find(({ options }) => options.properties.type.const === type);
  if (found === undefined)
    throw new Error(`the configuration was checked, but ${type} is not a type of carrier`);
  return found;
}
