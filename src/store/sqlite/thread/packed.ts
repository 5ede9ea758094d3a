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

/** JSON turns undefined into null; fields that are `optional` arrive as undefined again. */
function packingOf<T extends object>(
  fields: Readonly<Record<keyof T, string>>,
  optional: readonly (keyof T)[] = [],
): Packing<T> {
  const names: (keyof T)[] = [];
  for (const name in fields) names.push(name);
  const isOptional = names.map((name) => optional.includes(name));
  const isWhole = (_record: Partial<T>, { length }: Packed<T>): _record is T => length === names.length;
  return {
    pack: (record) => names.map((name) => record[name]),
    unpack: (values) => {
      const record: Partial<T> = {};
      names.forEach((name, i) => {
        record[name] = isOptional[i] ? (values[i] ?? undefined) : values[i];
      });
      if (!isWhole(record, values)) throw new Error('a field did not cross');
      return record;
    },
  };
}

const { pack: packAttempt, unpack: unpackAttempt } = packingOf<Attempt>(ATTEMPT_FIELDS);

export const { pack: packVerification, unpack: unpackVerification } = packingOf<NewVerification>(
  VERIFICATION_FIELDS,
  ['limits', 'reservation', 'byNumber', 'endsEarlier'],
);

export const packSettlement = ({ id, fence, attempts, next, charged }: Settlement) =>
  [id, fence, attempts.map(packAttempt), next, charged] as const;

export const unpackSettlement = ([id, fence, attempts, next, charged]: PackedSettlement): Settlement => ({
  id,
  fence,
  attempts: attempts.map(unpackAttempt),
  next,
  charged,
});

export type PackedVerification = ReturnType<typeof packVerification>;
export type PackedSettlement = ReturnType<typeof packSettlement>;
