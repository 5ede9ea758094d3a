/**
 * The configuration from the environment. Every option that is a value or a list of values has a variable named after
 * its key: `code.validFor` is COUNTERSIGN_CODE_VALID_FOR, `carriers.smsc.password` COUNTERSIGN_CARRIERS_SMSC_PASSWORD.
 * Secrets may also be given as files: `..._FILE`. Options of a standard that names variables itself have those names.
 */
import Type, { type TSchema } from 'typebox';
import { annotationsOf } from './expectation.ts';
import type { ConfigProblem } from './problem.ts';
import { findVariant, isGroup, type Path, type RawGroup } from './reader.ts';
import { findNearest } from './suggestion.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable and the option that it sets. */
export interface Variable {
  readonly name: string;
  readonly path: Path;
  readonly schema: TSchema;
}

const PREFIX = 'COUNTERSIGN';

/** Our variables that set no option. */
const RESERVED = /^COUNTERSIGN_(CONFIG$|TEST_)/;

/**
 * Kubernetes sets these in every pod if there is a Service called `countersign`. They are not ours, and one of them,
 * COUNTERSIGN_PORT=tcp://10.0.0.1:8443, has the name of an option.
 */
const SERVICE_LINK = /^COUNTERSIGN_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))(_\w+)?$/;
const SERVICE_LINK_VALUE = /^(tcp|udp|sctp):\/\//;

/** COUNTERSIGN_CODE_VALID_FOR for `code.validFor`; the standard's name if the option is one of a standard. */
export function variableOf(path: Path, schema?: TSchema): string {
  const standard = schema && annotationsOf(schema).variable;
  if (standard !== undefined) return standard;
  const words = path.map((part) =>
    String(part)
      .replace(/(?<=[a-z0-9])(?=[A-Z])|-/g, '_')
      .toUpperCase(),
  );
  return [PREFIX, ...words].join('_');
}

/** All possible variables, given the carriers, languages and providers that the file names. */
export function listVariables(schema: TSchema, raw: unknown, path: Path = []): Variable[] {
  if (Type.IsObject(schema)) {
    const group = isGroup(raw) ? raw : {};
    return Object.entries(schema.properties).flatMap(([name, option]) =>
      listVariables(option, group[name], [...path, name]),
    );
  }
  if (Type.IsRecord(schema)) {
    const [of] = Object.values(schema.patternProperties);
    if (of === undefined || !isGroup(raw)) return [];
    return Object.entries(raw).flatMap(([name, value]) => {
      const group = Type.IsUnion(of) ? findVariant(of, value) : of;
      const isInner = Type.IsObject(group) || Type.IsRecord(group);
      return isInner ? listVariables(group, value, [...path, name]) : [];
    });
  }
  if (Type.IsUnion(schema)) {
    // `false` or a group: the group's variables turn it on. Of several groups, the file says which.
    const groups = schema.anyOf.filter((variant) => Type.IsObject(variant));
    const group = groups.length > 1 ? findVariant(schema, raw) : groups[0];
    if (group !== undefined) return listVariables(group, raw, path);
  }
  if (Type.IsLiteral(schema) || !isSettable(schema)) return [];
  const name = variableOf(path, schema);
  const variable = { name, path, schema };
  if (annotationsOf(schema).secret !== true || !Type.IsString(schema)) return [variable];
  const file = `${path.at(-1)}File`;
  return [variable, { name: `${name}_FILE`, path: [...path.slice(0, -1), file], schema: Type.String() }];
}

function isSettable(schema: TSchema): boolean {
  if (Type.IsArray(schema)) return isSettable(schema.items);
  if (Type.IsUnion(schema)) return schema.anyOf.every(isSettable);
  return (
    Type.IsLiteral(schema) ||
    Type.IsString(schema) ||
    Type.IsInteger(schema) ||
    Type.IsNumber(schema) ||
    Type.IsBoolean(schema) ||
    Type.IsEnum(schema)
  );
}

/**
 * Applies the environment on top of the file's options, in place. Empty variables count as unset, because compose files
 * write them. Returns which variable set which option, and reports variables with our prefix that set none: they are
 * misspelt.
 */
export function applyEnvironment(
  schema: TSchema,
  raw: RawGroup,
  environment: Environment,
  report: (problem: ConfigProblem) => void,
): Variable[] {
  const variables = new Map(listVariables(schema, raw).map((variable) => [variable.name, variable]));
  const applied: Variable[] = [];
  for (const [name, text] of Object.entries(environment)) {
    if (RESERVED.test(name) || SERVICE_LINK.test(name)) continue;
    const variable = variables.get(name);
    if (variable === undefined) {
      if (name.startsWith(`${PREFIX}_`)) reportUnknown(name, variables.keys(), report);
    } else if (text !== undefined && text !== '' && !SERVICE_LINK_VALUE.test(text)) applied.push(variable);
  }
  // A file from the environment replaces a value in the configuration file, and the other way round.
  for (const { path } of applied) clear(raw, path);
  for (const { name, path, schema } of applied) assign(raw, path, parse(schema, environment[name] ?? ''));
  return applied;
}

function clear(raw: RawGroup, path: Path): void {
  const name = String(path.at(-1)).replace(/File$/, '');
  const group = path.slice(0, -1).reduce<unknown>((at, part) => (isGroup(at) ? at[part] : undefined), raw);
  if (!isGroup(group)) return;
  delete group[name];
  delete group[`${name}File`];
}

function assign(raw: RawGroup, path: Path, value: unknown): void {
  let group = raw;
  for (const part of path.slice(0, -1)) {
    const existing = group[part];
    const next: RawGroup = isGroup(existing) ? existing : {};
    group[part] = next;
    group = next;
  }
  group[String(path.at(-1))] = value;
}

/** What cannot be parsed stays text. The reader refuses it in its own words. */
function parse(schema: TSchema, text: string): unknown {
  if (Type.IsArray(schema)) {
    return text.split(',').map((item) => parse(schema.items, item.trim()));
  }
  if (Type.IsUnion(schema)) {
    const readings = schema.anyOf.map((variant) => parse(variant, text));
    return readings.find((reading) => findVariant(schema, reading) !== undefined) ?? text;
  }
  if ((Type.IsInteger(schema) || Type.IsNumber(schema)) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (Type.IsBoolean(schema) && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

function reportUnknown(
  name: string,
  known: Iterable<string>,
  report: (problem: ConfigProblem) => void,
): void {
  const nearest = findNearest(name, known);
  report({
    key: name,
    wrong: 'sets no option',
    expected: 'a variable from the configuration reference',
    fix: nearest === undefined ? 'unset it' : `did you mean ${nearest}?`,
  });
}
