/** Describes what an option takes, from its entry in the table. */
import Type, { type TSchema } from 'typebox';
import { listChoices } from './suggestion.ts';

/** What the table says about an option besides its type. */
export interface Annotations {
  readonly description?: string;
  readonly default?: unknown;
  readonly secret?: boolean;
  /** It is needed, unless the option of this name beside it is set. */
  readonly unless?: string;
  readonly examples?: readonly unknown[];
  /** Whether a running service takes it, with everything in it, when its configuration is read again. */
  readonly live?: boolean;
  /** The name of its variable, if it is not ours: that of a standard. */
  readonly variable?: string;
  readonly expected?: string;
  /** What the text names; of a group with free names, what these name. */
  readonly names?: 'country' | 'language';
  readonly pattern?: string;
  readonly atLeast?: string;
  readonly atMost?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export function annotationsOf(schema: TSchema): Annotations {
  return schema;
}

export function describeExpected(schema: TSchema): string {
  const notes = annotationsOf(schema);
  return `${notes.expected ?? describeKind(schema)}${describeBounds(notes)}`;
}

function describeKind(schema: TSchema): string {
  if (Type.IsEnum(schema)) return listChoices(schema.enum);
  if (Type.IsLiteral(schema)) return String(schema.const);
  if (Type.IsInteger(schema)) return 'a whole number';
  if (Type.IsNumber(schema)) return 'a number';
  if (Type.IsBoolean(schema)) return 'true or false';
  if (Type.IsString(schema)) return 'text';
  if (Type.IsArray(schema)) return 'a list';
  if (Type.IsObject(schema) || Type.IsRecord(schema)) return 'a group of options';
  if (Type.IsUnion(schema)) return listChoices([...new Set(schema.anyOf.map(describeExpected))]);
  return 'a value';
}

function describeBounds({ atLeast, atMost, ...notes }: Annotations): string {
  if (atLeast !== undefined && atMost !== undefined) return `, from ${atLeast} to ${atMost}`;
  if (notes.minimum !== undefined && notes.maximum !== undefined) {
    return ` from ${notes.minimum} to ${notes.maximum}`;
  }
  if (notes.maxLength !== undefined) return ` of ${notes.minLength ?? 0} to ${notes.maxLength} characters`;
  if (notes.maxItems !== undefined) return ` of ${notes.minItems ?? 0} to ${notes.maxItems} entries`;
  return (notes.minItems ?? 0) > 0 ? ' that is not empty' : '';
}
