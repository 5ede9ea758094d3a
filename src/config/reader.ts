/**
 * Reads raw values against the table: defaults, codecs, and every problem in one pass.
 *
 * TypeBox's own Value.Errors stops at eight errors and reports each variant of a union, but a user who misspells one
 * option of one carrier should read one line. So we walk the tree, and check each leaf by itself.
 */
import Type, { type TCodec, type TObject, type TSchema, type TUnion } from 'typebox';
import { showUnseen } from '../core/text/unseen.ts';
import { parseDuration } from '../core/verification/limits.ts';
import { annotationsOf, describeExpected } from './expectation.ts';
import { fits } from './leaf.ts';
import type { ConfigProblem } from './problem.ts';
import { findNearest, listChoices } from './suggestion.ts';

export type Path = readonly (string | number)[];
export type RawGroup = Record<string, unknown>;

/** What the reader needs from outside. */
export interface ReaderPorts {
  readonly report: (problem: ConfigProblem) => void;
  /** The name of an option as shown: its key and where it was set. */
  readonly label: (path: Path) => string;
  /** The text of a file that holds a secret. If it cannot be read, reports the problem and returns undefined. */
  readonly readSecret: (path: string, key: Path) => string | undefined;
}

/** `limits.requestsPerKey[0]`. */
export function formatKey(path: Path): string {
  return path.reduce<string>((key, part) => {
    if (typeof part === 'number') return `${key}[${part}]`;
    return key === '' ? part : `${key}.${part}`;
  }, '');
}

export function isGroup(value: unknown): value is RawGroup {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an option; undefined if it is absent, or wrong and reported. `inPlace`: the option that may be set in place of it. */
export function readOption(
  schema: TSchema,
  raw: unknown,
  path: Path,
  source: ReaderPorts,
  inPlace?: string,
): unknown {
  const notes = annotationsOf(schema);
  // An empty YAML entry (`limits:` with nothing below) is null and counts as no entry.
  const value = raw ?? (notes.default === undefined ? undefined : structuredClone(notes.default));
  if (value === undefined) {
    if (Type.IsOptional(schema)) return undefined;
    if (Type.IsObject(schema)) return readGroup(schema, {}, path, source);
    const fix = inPlace === undefined ? 'add it' : `add it, or ${inPlace}`;
    source.report(problem(schema, path, source, 'is missing', fix));
    return undefined;
  }
  if (Type.IsUnion(schema)) return readVariant(schema, value, path, source);
  if (Type.IsObject(schema)) {
    return isGroup(value) ? readGroup(schema, value, path, source) : refuse(schema, value, path, source);
  }
  if (Type.IsRecord(schema)) {
    if (!isGroup(value)) return refuse(schema, value, path, source);
    const [[pattern, of] = []] = Object.entries(schema.patternProperties);
    return readEntries(value, pattern ?? '', of ?? Type.Unknown(), path, source);
  }
  if (Type.IsArray(schema) && Array.isArray(value)) {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = notes;
    if (value.length < minItems || value.length > maxItems) return refuse(schema, value, path, source);
    return value.map((item, index) => readOption(schema.items, item, [...path, index], source));
  }
  return readLeaf(schema, value, path, source);
}

function readGroup(schema: TObject, raw: RawGroup, path: Path, source: ReaderPorts): RawGroup {
  const group: RawGroup = {};
  const names = new Set(Object.keys(schema.properties));
  for (const [name, option] of Object.entries(schema.properties)) {
    const fileOption = `${name}File`;
    const inFile = annotationsOf(option).secret === true && Type.IsString(option);
    if (inFile) names.add(fileOption);
    const raws = inFile ? readFileOption(raw, name, fileOption, path, source) : raw;
    const value =
      raws === undefined
        ? undefined
        : readOption(option, raws[name], [...path, name], source, inFile ? fileOption : undefined);
    if (value !== undefined) group[name] = value;
  }
  for (const name of Object.keys(raw)) {
    if (!names.has(name)) reportUnknown(name, names, path, source);
  }
  return group;
}

/** The group with `name` taken from the file that `nameFile` names; undefined if that failed and was reported. */
function readFileOption(
  raw: RawGroup,
  name: string,
  fileOption: string,
  path: Path,
  source: ReaderPorts,
): RawGroup | undefined {
  const file = raw[fileOption] ?? undefined;
  if (file === undefined) return raw;
  const key = [...path, fileOption];
  const refuse = (wrong: string, fix: string) => {
    source.report({ key: source.label(key), wrong, expected: 'the path of a file', fix });
    return undefined;
  };
  if (typeof file !== 'string' || file === '') return refuse('is not a path', 'correct it');
  if (raw[name] !== undefined) return refuse(`is set together with ${name}`, 'remove one of the two');
  const text = source.readSecret(file, key);
  return text === undefined ? undefined : { ...raw, [name]: text };
}

function readEntries(
  raw: RawGroup,
  pattern: string,
  schema: TSchema,
  path: Path,
  source: ReaderPorts,
): RawGroup {
  const allowed = new RegExp(pattern);
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(raw)) {
    const key = [...path, name];
    if (allowed.test(name)) entries.push([name, readOption(schema, value, key, source)]);
    else {
      const expected = `a name that matches ${pattern}`;
      const shown = showUnseen(source.label(key));
      source.report({ key: shown, wrong: 'is not a valid name', expected, fix: 'rename it' });
    }
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Variants are told apart by their literal `type`, or else by the kind of value. */
export function findVariant(schema: TUnion, value: unknown): TSchema | undefined {
  if (isGroup(value)) {
    const objects = schema.anyOf.filter((variant) => Type.IsObject(variant));
    if (objects.length === 1) return objects[0];
    return objects.find(({ properties: { type } }) => Type.IsLiteral(type) && type.const === value.type);
  }
  return schema.anyOf.find((variant) =>
    Type.IsArray(variant) ? Array.isArray(value) : fits(variant, value),
  );
}

function readVariant(schema: TUnion, value: unknown, path: Path, source: ReaderPorts): unknown {
  const variant = findVariant(schema, value);
  if (variant !== undefined) return readOption(variant, value, path, source);
  const types = schema.anyOf.flatMap((variant) => {
    const type = Type.IsObject(variant) ? variant.properties.type : undefined;
    return Type.IsLiteral(type) ? [String(type.const)] : [];
  });
  if (!isGroup(value) || types.length === 0) return refuse(schema, value, path, source);
  const written = value.type;
  const nearest = typeof written === 'string' ? findNearest(written, types) : undefined;
  source.report({
    key: source.label([...path, 'type']),
    wrong: written === undefined ? 'is missing' : `is ${show(written)}`,
    expected: listChoices(types),
    fix: nearest === undefined ? 'use one of them' : `did you mean ${nearest}?`,
  });
  return undefined;
}

function readLeaf(schema: TSchema, value: unknown, path: Path, source: ReaderPorts): unknown {
  if (!fits(schema, value)) return refuse(schema, value, path, source);
  if (!Type.IsCodec(schema)) return value;
  const decoded = decode(schema, value);
  const { atLeast, atMost } = annotationsOf(schema);
  const tooShort = atLeast !== undefined && Number(decoded) < Number(parseDuration(atLeast));
  const tooLong = atMost !== undefined && Number(decoded) > Number(parseDuration(atMost));
  return decoded === undefined || tooShort || tooLong ? refuse(schema, value, path, source) : decoded;
}

/** Codecs throw RangeError for values that match their pattern but mean nothing, such as `0s`. */
function decode(schema: TCodec, value: unknown): unknown {
  try {
    return schema['~codec'].decode(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function refuse(schema: TSchema, value: unknown, path: Path, source: ReaderPorts): undefined {
  const secret = annotationsOf(schema).secret === true;
  // A secret may have been written where a group is expected.
  const hidden = secret || Type.IsObject(schema) || Type.IsRecord(schema);
  const wrong = hidden ? `is not valid (${kindOf(value)})` : `is ${show(value)}`;
  source.report(problem(schema, path, source, wrong, 'correct it'));
  return undefined;
}

function problem(
  schema: TSchema,
  path: Path,
  source: ReaderPorts,
  wrong: string,
  fix: string,
): ConfigProblem {
  const fallback = annotationsOf(schema).default;
  const removal =
    fallback !== undefined
      ? ` or remove it for the default, ${show(fallback)}`
      : Type.IsOptional(schema)
        ? ' or remove it'
        : '';
  return { key: source.label(path), wrong, expected: describeExpected(schema), fix: fix + removal };
}

function reportUnknown(name: string, names: ReadonlySet<string>, path: Path, source: ReaderPorts): void {
  const nearest = findNearest(name, names);
  source.report({
    key: source.label([...path, name]),
    wrong: 'is not an option',
    expected: `one of ${[...names].join(', ')}`,
    fix: nearest === undefined ? 'remove it' : `did you mean ${nearest}?`,
  });
}

/** Groups and lists of groups are never shown, because they may hold a secret. */
function show(value: unknown): string {
  if (isGroup(value) || (Array.isArray(value) && value.some((item) => typeof item === 'object'))) {
    return kindOf(value);
  }
  const text = showUnseen(JSON.stringify(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isGroup(value)) return 'a group of options';
  return typeof value === 'string' ? `text of ${value.length} characters` : `a ${typeof value}`;
}
