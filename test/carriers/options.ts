import type Type from 'typebox';
import type { TSchema } from 'typebox';
import Value from 'typebox/value';

/** A carrier's options as the configuration would hand them over. */
export function decodeOptions<T extends TSchema>(
  schema: T,
  written: Record<string, unknown>,
): Type.StaticDecode<T> {
  return Value.Decode(schema, Value.Default(schema, written));
}
