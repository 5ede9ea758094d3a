/** From what was typed to entries of the configuration, and what is wrong with it. */
import type { Field } from '#contract/configuration.ts';
import { nameOfRow } from '../../../parts/form/faults.ts';
import { fits, type Read, readNumber, readRows } from './rows.ts';
import type { Entry, Value } from './yaml.ts';

/** Where the service finds secrets. */
export type SecretsAt = { readonly in: 'files'; readonly folder: string } | { readonly in: 'variables' };

/** A place that has to hold a secret before the service reads the configuration again. */
export interface SecretPlace {
  readonly option: string;
  /** The path of a file, or the name of a variable. */
  readonly place: string;
}

export interface Fault {
  /** The name of the field in the form. */
  readonly field: string;
  readonly detail: string;
}

export interface Typed {
  text(name: string): string;
  all(name: string): readonly string[];
  rows(name: string): readonly string[];
}

interface Made {
  readonly entries: readonly Entry[];
  readonly secrets: readonly SecretPlace[];
  readonly faults: readonly Fault[];
}

interface Source {
  readonly fields: readonly Field[];
  readonly typed: Typed;
  /** Before the path in the name of a field: `carrier` or `route`. */
  readonly part: string;
  readonly carrier: string;
  readonly secretsAt: SecretsAt;
}

const NOTHING: Made = { entries: [], secrets: [], faults: [] };

/** The options of a group, in the order of the form; of the whole carrier or route without a path. */
export function makeEntries(source: Source, group = ''): Made {
  const depth = group === '' ? 1 : group.split('.').length + 1;
  const inside = source.fields.filter(
    ({ path }) => path.split('.').length === depth && (group === '' || path.startsWith(`${group}.`)),
  );
  return join(inside.map((field) => make(source, field)));
}

const join = (all: readonly Made[]): Made => ({
  entries: all.flatMap(({ entries }) => entries),
  secrets: all.flatMap(({ secrets }) => secrets),
  faults: all.flatMap(({ faults }) => faults),
});

function make(source: Source, { required, unless, ...rest }: Field): Made {
  const { typed, part } = source;
  const field = {
    ...rest,
    unless,
    required: required && (unless === null || typed.text(`${part}.${unless}`) === ''),
  };
  const name = field.path.slice(field.path.lastIndexOf('.') + 1);
  const input = `${part}.${field.path}`;
  if (field.kind === 'group') {
    if (!field.required && typed.text(input) === '') return NOTHING;
    const inner = makeEntries(source, field.path);
    if (field.required && inner.entries.length === 0) return inner;
    return { ...inner, entries: [{ name, entries: inner.entries }] };
  }
  if (field.kind === 'secret') {
    return !field.required && typed.text(input) === '' ? NOTHING : referTo(source, field, name);
  }
  const read = readValue(field, input, typed);
  if ('wrong' in read) {
    const faults = read.wrong.map(({ row, detail }) => ({
      field: row === undefined ? input : nameOfRow(input, row),
      detail,
    }));
    return { ...NOTHING, faults };
  }
  if (read.value === undefined) return NOTHING;
  return { ...NOTHING, entries: [{ name, value: read.value }] };
}

function referTo({ carrier, secretsAt }: Source, { path, variable }: Field, name: string): Made {
  const option = `carriers.${carrier}.${path}`;
  const isInFile = secretsAt.in === 'files';
  const place = isInFile
    ? `${secretsAt.folder.replace(/\/$/, '')}/${[carrier, ...path.split('.')].join('-')}`
    : (variable ?? '').replace('_NAME_', `_${carrier.replaceAll('-', '_').toUpperCase()}_`);
  const entry = isInFile
    ? { name: `${name}File`, value: place }
    : { comment: `${name} comes from the variable ${place}` };
  return { ...NOTHING, entries: [entry], secrets: [{ option, place }] };
}

function readValue(field: Field, input: string, typed: Typed): Read {
  if (field.kind === 'flag') return readFlag(field, typed.text(input) !== '');
  const read = readTyped(field, input, typed);
  return 'value' in read && read.value !== undefined && isDefault(field, read.value)
    ? { value: undefined }
    : read;
}

function readTyped(field: Field, input: string, typed: Typed): Read {
  switch (field.kind) {
    case 'choices': {
      const chosen = field.names === null ? typed.all(input) : typed.rows(input);
      return { value: chosen.length === 0 ? undefined : chosen };
    }
    case 'list':
    case 'pairs':
    case 'numbers':
      return readRows(field, typed.rows(input));
    default: {
      const text = typed.text(input).trim();
      if (text !== '') return parse(field, text);
      return field.required ? { wrong: [{ detail: 'is required' }] } : { value: undefined };
    }
  }
}

function readFlag({ fallback }: Field, checked: boolean): Read {
  if (fallback === null) return { value: checked || undefined };
  return { value: JSON.stringify(checked) === fallback ? undefined : checked };
}

const isDefault = ({ fallback }: Field, value: Value) => JSON.stringify(value) === fallback;

function parse(field: Field, text: string): Read {
  const unfit = { wrong: [{ detail: `must be ${field.expected}` }] };
  switch (field.kind) {
    case 'number': {
      const value = readNumber(text);
      return value === undefined ? unfit : { value };
    }
    case 'json':
      try {
        return { value: JSON.parse(text) };
      } catch {
        return { wrong: [{ detail: 'must be JSON' }] };
      }
    default:
      return field.kind === 'text' && !fits(field.pattern, text) ? unfit : { value: text };
  }
}
