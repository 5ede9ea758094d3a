/** A destination as a carrier dials it. */
import type { Destination } from '../../core/destination/destination.ts';

/** `number` is E.164 with `+`; `extension` is dialled once the call is answered. */
export interface DialledNumber {
  readonly number: string;
  readonly extension?: string | undefined;
}

export type Dialled = DialledNumber | { readonly sip: string };

export function dial({ address, kind }: Destination): Dialled {
  if (kind === 'e164') return { number: address };
  if (kind === 'sip') return { sip: address };
  const [, number = '', extension] = /^tel:(\+\d+);ext=(\d+)$/.exec(address) ?? [];
  return { number, extension };
}

/** The number if the destination is only a number; undefined otherwise. */
export function dialledDigits(destination: Destination): string | undefined {
  return destination.kind === 'e164' ? destination.address : undefined;
}
