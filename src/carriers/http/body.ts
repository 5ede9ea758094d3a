import type { HttpOptions } from './options.ts';
import { type BodyTemplate, compileTemplate } from './template.ts';

/** The body's template and its media type; undefined if the options describe none. */
export function compileBody({
  method,
  json,
  form,
}: HttpOptions): { readonly type: string; readonly template: BodyTemplate } | undefined {
  if (json !== undefined && form !== undefined) throw new Error('json, form: a request cannot have both');
  if (json === undefined && form === undefined) return undefined;
  if (method === 'GET') throw new Error(`${form ? 'form' : 'json'}: a GET request has no body`);
  if (form) return { type: 'application/x-www-form-urlencoded', template: compileForm(form) };
  // JSON text works as a template: serialising leaves placeholders as they are, and `{{` occurs only in strings.
  return { type: 'application/json', template: compileTemplate('json', JSON.stringify(json), escapeJson) };
}

function compileForm(form: NonNullable<HttpOptions['form']>): BodyTemplate {
  const fields = Object.entries(form).map(([name, value]) => ({
    name: encodeURIComponent(name),
    template: compileTemplate(`form.${name}`, String(value), encodeURIComponent, encodeURIComponent),
  }));
  return {
    uses: fields.flatMap(({ template }) => template.uses),
    fill: (values) => fields.map(({ name, template }) => `${name}=${template.fill(values)}`).join('&'),
  };
}

function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
