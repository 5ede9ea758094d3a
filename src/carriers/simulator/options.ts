import { carrierOptions } from '../../options/fields.ts';

/** Options of a `simulator` carrier: it needs nothing but its type. */
export const simulatorOptions = carrierOptions(
  'simulator',
  'Keeps messages to be read back; sends nothing.',
  {},
);
