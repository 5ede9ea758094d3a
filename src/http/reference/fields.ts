/** The fields of requests and answers, with their types, and those inside them. */
import type { Schema } from '../openapi.ts';
import { code, definitions, escapeHtml, inline } from './html.ts';

export interface DocumentedField {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Where a parameter is. */
  readonly place?: string;
}

/** What is said of fields that are required, and of those that are not. */
type Marks = readonly [required: string, optional: string];

export const IN_REQUEST: Marks = ['required', 'optional'];
export const IN_ANSWER: Marks = ['always', 'not always'];

export function renderFields(fields: readonly DocumentedField[], marks: Marks): string {
  return definitions(
    fields.map(({ name, schema, required, place }) => [
      [
        code(name),
        ...(place === undefined ? [] : [`<span class="type">in ${escapeHtml(place)}</span>`]),
        `<span class="type">${escapeHtml(typeOf(schema))}</span>`,
        required ? `<strong>${marks[0]}</strong>` : `<span class="type">${marks[1]}</span>`,
      ].join(' '),
      meaningOf(name, schema, marks),
    ]),
  );
}

/** The fields of an object, or of the objects of a list. */
export function fieldsOf(
  { items, properties = {}, required = [] }: Schema,
  within = '',
): readonly DocumentedField[] {
  if (items !== undefined) return fieldsOf(items, `${within}[].`);
  return Object.entries(properties).map(([name, schema]) => ({
    name: within + name,
    schema,
    required: required.includes(name),
  }));
}

function meaningOf(name: string, schema: Schema, marks: Marks): string {
  const { description = '', enum: values, examples } = schema;
  const inner = fieldsOf(schema, schema.items === undefined ? `${name}.` : name);
  return [
    description === '' ? '' : `<p>${inline(description)}</p>`,
    values === undefined ? '' : `<p>One of ${values.map((value) => code(String(value))).join(' ')}</p>`,
    values === undefined && examples !== undefined ? `<p>Example: ${code(show(examples[0]))}</p>` : '',
    inner.length === 0 ? '' : renderFields(inner, marks),
  ].join('');
}

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function typeOf(schema: Schema): string {
  const { format, minLength = 0, maxLength, minimum, items, additionalProperties } = schema;
  const type = [schema.type ?? 'value'].flat().join(' or ');
  if (items !== undefined) return `list, each ${typeOf(items)}`;
  if (typeof additionalProperties === 'object') return `object, each value ${typeOf(additionalProperties)}`;
  if (format !== undefined) return `${type}, ${format}`;
  if (maxLength !== undefined) return `${type}, ${minLength} to ${maxLength} characters`;
  return minimum === undefined ? type : `${type}, at least ${minimum}`;
}
