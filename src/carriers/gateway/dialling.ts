/** A destination as a carrier dials it. */
import type { Destination } from '../../core/destination/destination.ts';

export type Dialled =
  /** `number` is E.164 with `+`; `extension` is typed once the call is answered. */
  { readonly number: string; readonly extension?: string | undefined } | { readonly sip: string };

export function dial({ address, kind }: Destination): Dialled {
  if (kind === 'e164') return { number: address };
  if (kind === 'sip') return { sip: address };
  const [, number = '', extension] = /^tel:(\+\d+);ext=(\d+)$/.exec(address) ?? [];
  return { number, extension };
}

/** The number of a destination that is nothing but one; undefined for what this carrier cannot dial. */
export function plainNumber(destination: Destination): string | undefined {
  return destination.kind === 'e164' ? destination.address : undefined;
}
