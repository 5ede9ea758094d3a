import type { Verification } from '#contract/verifications.ts';

/** As the server calls what no key asked for. */
const NO_KEY = 'none';

/** A message that an owner sent to see what a carrier does with it. Nobody is to confirm its code. */
export const isCarrierTest = ({ key }: Pick<Verification, 'key'>): boolean => key.id === NO_KEY;
