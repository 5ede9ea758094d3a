/** The reference for people: static HTML without scripts, made from the OpenAPI document and the catalogue. */
import { hash } from 'node:crypto';
import { FIELD_ERROR_CODES } from '../core/field-error.ts';
import type { OpenApiDocument, Operation, Schema } from './openapi.ts';
import { PROBLEM_NAMES, PROBLEMS, type ProblemName, problemPath } from './problem.ts';

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d9dce3, #363a45); --soft: light-dark(#f4f5f8, #1c1f27);
  --ink: light-dark(#1c1f27, #e4e6ec); --dim: light-dark(#5b6170, #9aa0b0); --accent: light-dark(#1a56c4, #8ab4ff); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 3rem 1.25rem 6rem; max-width: 54rem; font: 1rem/1.6 system-ui, sans-serif;
  color: var(--ink); background: light-dark(#fff, #14161c); }
h1 { font-size: 2rem; margin: 0 0 .5rem; } h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; }
h3 { font-size: .85rem; margin: 1.5rem 0 .25rem; color: var(--dim); text-transform: uppercase; letter-spacing: .05em; }
p { margin: .5rem 0; } a { color: var(--accent); }
code { font: .9em ui-monospace, monospace; background: var(--soft); padding: .1em .35em; border-radius: .25rem; }
h2 code { font-size: 1em; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); }
th { font-size: .85rem; color: var(--dim); font-weight: 600; }
nav ul { columns: 16rem; padding-left: 1.1rem; }
`;

/** Allows only the style sheet above, by its digest. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

export function renderReference({ info, paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      anchor: path.slice(1).replaceAll('/', '-').replace(/[{}]/g, ''),
      operation,
    })),
  );
  const contents = operations.map(
    ({ name, anchor }) => `<li><a href="#${anchor}">${escapeHtml(name)}</a></li>`,
  );
  const sections = operations.map(({ name, anchor, operation }) => renderOperation(name, anchor, operation));
  const problems = PROBLEM_NAMES.map((name) => [
    `<a href="${problemPath(name)}"><code>${name}</code></a>`,
    String(PROBLEMS[name].status),
    inline(PROBLEMS[name].doc),
  ]);
  const codes = Object.entries(FIELD_ERROR_CODES).map(([code, doc]) => [`<code>${code}</code>`, inline(doc)]);
  return renderPage(
    info.title,
    `<h1>${escapeHtml(info.title)}</h1>
<p>${inline(info.description)} For programs, there is <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<p>${inline('Send an API key (`Authorization: Bearer <API_KEY>`) and JSON (`Content-Type: application/json`).')}</p>
<nav><ul>${contents.join('')}<li><a href="#problems">Problems</a></li><li><a href="#codes">Codes of invalid fields</a></li></ul></nav>
${sections.join('\n')}
<section id="problems"><h2>Problems</h2>
<p>${inline('Every error is answered as `application/problem+json` (RFC 9457). Its `type` ends in one of these names.')}</p>
${table(['Name', 'Status', 'Meaning'], problems)}</section>
<section id="codes"><h2>Codes of invalid fields</h2>
<p>${inline('With `invalid-request`, each entry of `errors` has one of these as its `code`. More may be added.')}</p>
${table(['Code', 'Meaning'], codes)}</section>`,
  );
}

/** The page that a problem's `type` leads to. */
export function renderProblem(name: ProblemName): string {
  const { status, title, doc } = PROBLEMS[name];
  return renderPage(
    title,
    `<h1>${escapeHtml(title)}</h1><p><code>${name}</code>, status ${status}</p><p>${inline(doc)}</p><p><a href="/docs#problems">All problems</a></p>`,
  );
}

function renderOperation(name: string, anchor: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const answers = Object.entries(responses).map(([status, { description, content, headers }]) => {
    const examples = Object.keys(Object.values(content ?? {})[0]?.examples ?? {});
    const names = examples.map((problem) => `<code>${escapeHtml(problem)}</code>`).join(' ');
    const extra = Object.keys(headers ?? {})
      .map((header) => `<code>${escapeHtml(header)}</code>`)
      .join(' ');
    return [escapeHtml(status), inline(description), names, extra];
  });
  return `<section id="${anchor}"><h2><code>${escapeHtml(name)}</code></h2>
<p>${inline(`${summary}${/[.?!]$/.test(summary) ? '' : '.'} ${description ?? ''}`)}</p>
${
  parameters.length === 0
    ? ''
    : `<h3>Parameters</h3>${fields(parameters.map((p) => [p.name, p.schema, p.required === true, p.in, p.description]))}`
}
${body === undefined ? '' : `<h3>Request body</h3>${properties(body)}${example(body)}`}
<h3>Answers</h3>${table(['Status', 'Meaning', 'Problems', 'Headers'], answers)}
${success(responses)}</section>`;
}

function success(responses: Operation['responses']): string {
  const schema = responses['200']?.content?.['application/json']?.schema as Schema | undefined;
  const object = schema?.items ?? schema;
  return object?.properties === undefined
    ? ''
    : `<h3>Body of 200${schema?.items ? ', a list of these' : ''}</h3>${properties(object)}${example(object)}`;
}

function properties({ properties: list = {}, required = [] }: Schema): string {
  return fields(
    Object.entries(list).map(([name, schema]) => [name, schema, required.includes(name), '', undefined]),
  );
}

function fields(
  rows: [name: string, schema: Schema, required: boolean, place: string, doc: string | undefined][],
): string {
  return table(
    ['Field', 'Type', 'Meaning'],
    rows.map(([name, schema, required, place, doc]) => [
      `<code>${escapeHtml(name)}</code>${place && ` (${escapeHtml(place)})`}${required ? '' : ' <em>optional</em>'}`,
      escapeHtml(describeType(schema)),
      inline(doc ?? schema.description ?? ''),
    ]),
  );
}

function describeType({ type = 'value', enum: values, minLength, maxLength }: Schema): string {
  if (values !== undefined) return values.join(' | ');
  return maxLength === undefined ? type : `${type}, ${minLength ?? 0} to ${maxLength} characters`;
}

function example({ properties: list = {} }: Schema): string {
  const entries = Object.entries(list).filter(([, { examples }]) => examples?.[0] !== undefined);
  if (entries.length === 0) return '';
  const value = Object.fromEntries(entries.map(([name, { examples }]) => [name, examples?.[0]]));
  return `<pre><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<div class="wide"><table><thead>${line(head, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody></table></div>`;
}

/** Escapes, and marks text between backquotes as code. */
function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>${content}</main></body></html>
`;
}
