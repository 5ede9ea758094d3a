/**
 * What becomes of what the guard itself would refuse; the operator's rules hold in every mode.
 *
 * - `enforce`: what the guard refuses is not sent.
 * - `observe`: everything is judged, recorded and shown, and sent.
 * - `off`: nothing is judged.
 */
export const GUARD_MODES = ['enforce', 'observe', 'off'] as const;

export type GuardMode = (typeof GUARD_MODES)[number];
