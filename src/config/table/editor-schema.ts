/** The JSON Schema with which editors complete and check `countersign.yaml`. */
import Type, { type TSchema } from 'typebox';
import type { CarrierType } from '../../options/carrier-type.ts';
import { annotationsOf } from '../expectation.ts';
import { createConfigSchema } from './schema.ts';

/** Our own annotations, which editors do not know. */
const OURS = new Set(['secret', 'unless', 'live', 'variable', 'expected', 'names', 'atLeast', 'atMost']);

export function createEditorSchema(types: readonly CarrierType[]): Record<string, unknown> {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...describe(createConfigSchema(types)) };
}

function describe(schema: TSchema): Record<string, unknown> {
  const entries = Object.entries(schema).filter(([name]) => !OURS.has(name));
  const plain: Record<string, unknown> = Object.fromEntries(entries);
  if (Type.IsObject(schema)) {
    const { required, ...rest } = plain;
    const needed = Object.keys(schema.properties).filter((name) => isNeeded(schema.properties[name]));
    return {
      ...rest,
      ...(needed.length > 0 ? { required: needed } : {}),
      properties: listOptions(schema.properties),
    };
  }
  if (Type.IsRecord(schema))
    return { ...plain, patternProperties: mapValues(schema.patternProperties, describe) };
  if (Type.IsArray(schema)) return { ...plain, items: describe(schema.items) };
  if (Type.IsUnion(schema)) return { ...plain, anyOf: schema.anyOf.map(describe) };
  return plain;
}

/** In the table an option is required if the result always has it. The file may leave out options with a default. */
function isNeeded(schema: TSchema | undefined): boolean {
  if (schema === undefined || Type.IsOptional(schema)) return false;
  const { default: fallback, secret } = annotationsOf(schema);
  if (fallback !== undefined || secret === true) return false;
  return !Type.IsObject(schema) || Object.values(schema.properties).some(isNeeded);
}

function listOptions(properties: Record<string, TSchema>): Record<string, unknown> {
  const options = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
    const option: [string, unknown] = [name, describe(schema)];
    const { secret } = annotationsOf(schema);
    if (secret !== true || !Type.IsString(schema)) return [option];
    const file = { type: 'string', description: `File that holds \`${name}\`; use instead of it.` };
    return [option, [`${name}File`, file]];
  });
  return Object.fromEntries(options);
}

function mapValues(
  values: Record<string, TSchema>,
  map: (schema: TSchema) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, schema]) => [name, map(schema)]));
}
