/**
 * What crosses to the store's thread with every request, as lists of values: JSON with names is twice as long and takes twice
 * as long to read.
 */
import { ATTEMPT_FIELDS, type Attempt, type Settlement } from '../../../core/sending/delivery.ts';
import { type NewVerification, VERIFICATION_FIELDS } from '../../../core/verification/verification.ts';

type Packed<T> = readonly T[keyof T][];

interface Packing<T> {
  readonly pack: (record: T) => Packed<T>;
  readonly unpack: (values: Packed<T>) => T;
}

/**
 * Builds the functions from the names of the fields, once: a loop over the names would take ten times as long in every call.
 * JSON turns undefined into null; fields that are `optional` arrive as undefined again.
 */
function packingOf<T>(
  fields: Readonly<Record<keyof T, string>>,
  optional: readonly (keyof T)[] = [],
): Packing<T> {
  const names = Object.keys(fields);
  const restored = [...optional].map((name) => `${String(name)}: ${String(name)} ?? undefined`);
  return {
    pack: Function(`{${names}}`, `return [${names}]`) as Packing<T>['pack'],
    unpack: Function(`[${names}]`, `return {${[...names, ...restored]}}`) as Packing<T>['unpack'],
  };
}

const { pack: packAttempt, unpack: unpackAttempt } = packingOf<Attempt>(ATTEMPT_FIELDS);

export const { pack: packVerification, unpack: unpackVerification } = packingOf<NewVerification>(
  VERIFICATION_FIELDS,
  ['limits'],
);

export const packSettlement = ({ id, fence, attempts, next }: Settlement) =>
  [id, fence, attempts.map(packAttempt), next] as const;

export const unpackSettlement = ([id, fence, attempts, next]: PackedSettlement): Settlement => ({
  id,
  fence,
  attempts: attempts.map(unpackAttempt),
  next,
});

export type PackedVerification = ReturnType<typeof packVerification>;
export type PackedSettlement = ReturnType<typeof packSettlement>;
