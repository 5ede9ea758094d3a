/** The options of carriers and routes as fields of a form, made from the table, so that a new option is a new field. */
import Type, { type TSchema } from 'typebox';
import { variableOf } from '../config/environment.ts';
import { annotationsOf, describeExpected } from '../config/expectation.ts';
import type { Path } from '../config/reader.ts';
import { createConfigSchema } from '../config/table/schema.ts';
import type { CarrierType } from '../options/carrier-type.ts';

/**
 * `group` holds the fields whose paths begin with its own. `pairs` and `numbers` are groups whose names are free; `list` holds
 * texts; `json` is anything else. For `secret` a form has no field, but names the file or the variable that holds it.
 */
const KINDS = [
  ...(['group', 'text', 'number', 'flag', 'choice', 'choices'] as const),
  ...(['list', 'pairs', 'numbers', 'json', 'secret'] as const),
] as const;

export interface OptionField {
  /** `sms.from`. */
  readonly path: string;
  readonly kind: (typeof KINDS)[number];
  readonly required: boolean;
  /** The path of an option that may be set in place of a required one. */
  readonly unless: string | null;
  readonly description: string;
  readonly expected: string;
  /** As JSON. */
  readonly fallback: string | null;
  readonly example: string | null;
  readonly pattern: string | null;
  /** Of each text of a list, and of each value of a group whose names are free. */
  readonly entry: { readonly pattern: string | null; readonly expected: string } | null;
  /** Of each name in such a group. */
  readonly key: string | null;
  /** What the texts are names of, or the names in such a group. */
  readonly names: 'country' | 'language' | null;
  readonly choices: readonly string[];
  /** The variable of a secret, with `NAME` for the name of the carrier. */
  readonly variable: string | null;
}

export interface Forms {
  readonly carriers: readonly {
    readonly type: string;
    readonly description: string;
    readonly fields: readonly OptionField[];
  }[];
  readonly route: readonly OptionField[];
}

/** Stands for the name of a carrier in the names of variables. */
const NAME = 'NAME';

export function describeForms(types: readonly CarrierType[]): Forms {
  const { carriers, routes } = createConfigSchema(types).properties;
  const [variants] = Object.values(carriers.patternProperties);
  const groups = variants !== undefined && Type.IsUnion(variants) ? variants.anyOf.filter(Type.IsObject) : [];
  return {
    carriers: groups.map(({ properties: { type, ...options } }) => ({
      type: Type.IsLiteral(type) ? String(type.const) : '',
      description: type === undefined ? '' : (annotationsOf(type).description ?? ''),
      fields: listFields(options, []),
    })),
    route: listFields(routes.items.properties, []),
  };
}

function listFields(options: Record<string, TSchema>, path: Path): OptionField[] {
  return Object.entries(options).flatMap(([name, schema]) => describe(schema, [...path, name]));
}

function describe(schema: TSchema, path: Path): OptionField[] {
  const notes = annotationsOf(schema);
  const inner = groupIn(schema);
  const { kind, choices = [] } = inner === undefined ? kindOf(schema) : { kind: 'group' as const };
  const [example] = notes.examples ?? [];
  const field: OptionField = {
    path: path.join('.'),
    kind,
    required: isRequired(schema) || notes.unless !== undefined,
    unless: notes.unless === undefined ? null : [...path.slice(0, -1), notes.unless].join('.'),
    description: notes.description ?? '',
    expected: describeExpected(schema),
    fallback: notes.default === undefined ? null : JSON.stringify(notes.default),
    example: example === undefined ? null : JSON.stringify(example),
    pattern: patternOf(schema) ?? null,
    entry: describeEntry(schema),
    key: (Type.IsRecord(schema) && Object.keys(schema.patternProperties)[0]) || null,
    names: annotationsOf(Type.IsArray(schema) ? schema.items : schema).names ?? null,
    choices,
    variable: kind === 'secret' ? variableOf(['carriers', NAME, ...path]) : null,
  };
  return [field, ...(inner === undefined ? [] : listFields(inner, path))];
}

function describeEntry(schema: TSchema): OptionField['entry'] {
  const [of] = Type.IsRecord(schema) ? Object.values(schema.patternProperties) : [];
  const entry = Type.IsArray(schema) ? schema.items : of;
  if (entry === undefined) return null;
  return { pattern: patternOf(entry) ?? null, expected: describeExpected(entry) };
}

/** What a text looks like, also where something else may stand in its place. */
function patternOf(schema: TSchema): string | undefined {
  const text = Type.IsUnion(schema) ? schema.anyOf.find(Type.IsString) : schema;
  return text === undefined ? undefined : annotationsOf(text).pattern;
}

/** The options of a group, also of one that may be `false`. */
function groupIn(schema: TSchema): Record<string, TSchema> | undefined {
  if (Type.IsObject(schema)) return schema.properties;
  if (!Type.IsUnion(schema)) return undefined;
  const groups = schema.anyOf.filter(Type.IsObject);
  return groups.length === 1 ? groups[0]?.properties : undefined;
}

interface Kind {
  readonly kind: OptionField['kind'];
  readonly choices?: readonly string[];
}

function kindOf(schema: TSchema): Kind {
  if (Type.IsString(schema)) {
    return { kind: annotationsOf(schema).secret === true && !isAddress(schema) ? 'secret' : 'text' };
  }
  if (Type.IsBoolean(schema)) return { kind: 'flag' };
  if (Type.IsInteger(schema) || Type.IsNumber(schema)) return { kind: 'number' };
  const choices = choicesOf(schema);
  if (choices !== undefined) return { kind: 'choice', choices };
  if (Type.IsArray(schema)) {
    const several = choicesOf(schema.items);
    if (several !== undefined) return { kind: 'choices', choices: several };
    return { kind: takesText(schema.items) ? 'list' : 'json' };
  }
  if (Type.IsRecord(schema)) {
    const [of = Type.Unknown()] = Object.values(schema.patternProperties);
    if (Type.IsNumber(of) || Type.IsInteger(of)) return { kind: 'numbers' };
    return { kind: takesText(of) ? 'pairs' : 'json' };
  }
  return { kind: Type.IsUnion(schema) && takesText(schema) ? 'text' : 'json' };
}

/** Whether a secret is the address of a gateway: many hold no secret, so people may write it where it is needed. */
const isAddress = (secret: TSchema): boolean =>
  annotationsOf(secret).pattern?.startsWith('^https?://') === true;

const takesText = (schema: TSchema): boolean =>
  Type.IsString(schema) || (Type.IsUnion(schema) && schema.anyOf.some(Type.IsString));

/** The texts of which one is taken; undefined if it takes others, too. */
function choicesOf(schema: TSchema): readonly string[] | undefined {
  if (Type.IsEnum(schema)) return schema.enum.map(String);
  const literals = Type.IsLiteral(schema)
    ? [schema]
    : Type.IsUnion(schema)
      ? schema.anyOf.filter(Type.IsLiteral)
      : [];
  const isAll = literals.length > 0 && (!Type.IsUnion(schema) || literals.length === schema.anyOf.length);
  return isAll && literals.every(({ const: value }) => typeof value === 'string')
    ? literals.map(({ const: value }) => String(value))
    : undefined;
}

/** Whether the configuration is refused without it; of a group, whether it is always there. */
const isRequired = (schema: TSchema): boolean =>
  !Type.IsOptional(schema) && annotationsOf(schema).default === undefined;
