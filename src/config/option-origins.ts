/** Where the options of carriers and routes were set. Names of options, variables and lines, never a value. */
import Type, { type TSchema } from 'typebox';
import { findVariant, isGroup, type Path } from './reader.ts';

interface GivenOption {
  /** `carriers.smsc.password`, or `carriers.smsc.passwordFile` if a file holds it. */
  readonly key: string;
  readonly by: 'file' | 'variable';
  /** `countersign.yaml:12`, or the name of the variable. */
  readonly place: string;
}

export interface OptionOrigins {
  /** What relative paths begin at: the working directory when the configuration was first read. */
  readonly folder: string;
  /** The whole path of the configuration file. */
  readonly file: string;
  readonly isThere: boolean;
  /** The file sets something. */
  readonly hasOptions: boolean;
  readonly options: readonly GivenOption[];
}

/** The options that are set somewhere, down to values, lists of values, and groups whose names are free. */
export function listGivenOptions(schema: TSchema, raw: unknown, path: Path): Path[] {
  if (raw === undefined || raw === null) return [];
  if (Type.IsUnion(schema)) {
    const variant = findVariant(schema, raw);
    return variant === undefined ? [path] : listGivenOptions(variant, raw, path);
  }
  if (Type.IsObject(schema) && isGroup(raw)) {
    return Object.entries(raw).flatMap(([name, value]) =>
      listGivenOptions(schema.properties[name] ?? Type.Unknown(), value, [...path, name]),
    );
  }
  if (Type.IsRecord(schema) && isGroup(raw)) {
    const [of = Type.Unknown()] = Object.values(schema.patternProperties);
    if (!Type.IsObject(of) && !Type.IsUnion(of)) return [path];
    return Object.entries(raw).flatMap(([name, value]) => listGivenOptions(of, value, [...path, name]));
  }
  if (Type.IsArray(schema) && Array.isArray(raw) && Type.IsObject(schema.items)) {
    return raw.flatMap((item, index) => listGivenOptions(schema.items, item, [...path, index]));
  }
  return [path];
}
