/** The configuration in effect as it may be shown: as in the file, without secrets. */
import Type, { type TSchema } from 'typebox';
import type { CarrierType } from '../../options/carrier-type.ts';
import { annotationsOf } from '../expectation.ts';
import { findVariant, isGroup } from '../reader.ts';
import { type Config, createConfigSchema } from './schema.ts';

export function displayConfig(config: Config, types: readonly CarrierType[]): unknown {
  return display(createConfigSchema(types), config);
}

function display(schema: TSchema, value: unknown): unknown {
  if (annotationsOf(schema).secret === true) return '[secret]';
  if (Type.IsCodec(schema)) return schema['~codec'].encode(value);
  if (Type.IsArray(schema) && Array.isArray(value)) return value.map((item) => display(schema.items, item));
  if (Type.IsUnion(schema)) {
    const variant = findVariant(schema, value);
    return variant === undefined ? value : display(variant, value);
  }
  if (!isGroup(value)) return value;
  const [of] = Type.IsRecord(schema) ? Object.values(schema.patternProperties) : [];
  const shown = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    const option = Type.IsObject(schema) ? schema.properties[name] : of;
    return option === undefined ? [] : [[name, display(option, item)]];
  });
  return Object.fromEntries(shown);
}
