/** What is wrong with the options of a look-up that are each acceptable, found without loading what asks providers. */
import { faultOf } from '../carriers/fault.ts';
import type { LookupOptions } from '../config/table/lookup-options.ts';
import { compileRequest } from './http-request.ts';

/** `option: fault`, or null. */
export function findLookupFault(options: LookupOptions): string | null {
  switch (options.type) {
    case 'http':
      return faultOf(() => void compileRequest(options));
    case 'camara-sim-swap':
    case 'camara-number-recycling':
      return /\/check\/?$/.test(options.url)
        ? 'url: ends in /check, which is added to it; remove /check'
        : null;
    default:
      return null;
  }
}
