import type { HttpOptions } from './options.ts';
import { compileTemplate, type Template } from './template.ts';

/** The body's template and its media type; undefined if the options describe none. */
export function compileBody<Name extends string>(
  { method, json, form }: Pick<HttpOptions, 'method' | 'json' | 'form'>,
  names: readonly Name[],
): { readonly type: string; readonly template: Template<Name> } | undefined {
  if (json !== undefined && form !== undefined)
    throw new Error('form: is set together with json; remove one of the two');
  if (json === undefined && form === undefined) return undefined;
  if (method === 'GET')
    throw new Error(`${form ? 'form' : 'json'}: a GET request has no body; remove it, or set method: POST`);
  if (form) return { type: 'application/x-www-form-urlencoded', template: compileForm(form, names) };
  // JSON text works as a template: serialising leaves placeholders as they are, and `{{` occurs only in strings.
  return {
    type: 'application/json',
    template: compileTemplate(names, 'json', JSON.stringify(json), escapeJson),
  };
}

function compileForm<Name extends string>(
  form: NonNullable<HttpOptions['form']>,
  names: readonly Name[],
): Template<Name> {
  const fields = Object.entries(form).map(([name, value]) => ({
    name: encodeURIComponent(name),
    template: compileTemplate(names, `form.${name}`, String(value), encodeURIComponent, encodeURIComponent),
  }));
  return {
    uses: fields.flatMap(({ template }) => template.uses),
    fill: (values) => fields.map(({ name, template }) => `${name}=${template.fill(values)}`).join('&'),
  };
}

function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
