import { carrierOptions } from '../../options/fields.ts';

/** A `simulator` carrier needs only its type. */
export const simulatorOptions = carrierOptions(
  'simulator',
  'Keeps messages so that they can be read back. Sends nothing.',
  {},
);
