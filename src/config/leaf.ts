/** Whether a value is one that an option takes, where the option is no group and no list. */
import Type, { type TSchema } from 'typebox';
import { annotationsOf } from './expectation.ts';

/** Equal to `Check` of `typebox/schema` for every leaf of the table, without the 164 modules that it adds to each start. */
export function fits(schema: TSchema, value: unknown): boolean {
  if (Type.IsUnknown(schema)) return true;
  if (Type.IsEnum(schema)) return schema.enum.some((each) => each === value);
  if (Type.IsLiteral(schema)) return value === schema.const;
  if (Type.IsBoolean(schema)) return typeof value === 'boolean';
  if (Type.IsInteger(schema)) return Number.isInteger(value) && isWithin(schema, Number(value));
  if (Type.IsNumber(schema)) return Number.isFinite(value) && isWithin(schema, Number(value));
  return Type.IsString(schema) && typeof value === 'string' && isOfItsForm(schema, value);
}

function isWithin(schema: TSchema, value: number): boolean {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = annotationsOf(schema);
  return value >= minimum && value <= maximum;
}

/** JSON Schema counts code points, and reads patterns as Unicode. */
function isOfItsForm(schema: TSchema, value: string): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern = '' } = annotationsOf(schema);
  const { length } = [...value];
  return length >= minLength && length <= maxLength && new RegExp(pattern, 'u').test(value);
}
