/** Reading what a callback is signed with. */
import type { Callback } from '../../core/carrier.ts';

/** A header that must be there once; undefined when it is not. */
export function header({ headers }: Callback, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
