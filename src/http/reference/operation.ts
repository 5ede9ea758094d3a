/** One operation: what it takes and answers on the left, examples of both on the right. */
import type { Operation, Response } from '../openapi.ts';
import { exampleOf } from './example.ts';
import { fieldsOf, IN_ANSWER, IN_REQUEST, renderFields } from './fields.ts';
import { block, code, definitions, escapeHtml, heading, inline, json, link, pair } from './html.ts';
import { renderSamples } from './samples/languages.ts';
import { type SampleRequest, sampleRequest } from './samples/request.ts';

/** An operation of the document, and where it is on the page. */
export interface OperationEntry {
  readonly name: string;
  readonly anchor: string;
  readonly operation: Operation;
  readonly request: SampleRequest;
}

export function operationEntry(method: string, path: string, operation: Operation): OperationEntry {
  return {
    name: `${method.toUpperCase()} ${path}`,
    anchor: path.slice(1).replaceAll('/', '-').replace(/[{}]/g, ''),
    operation,
    request: sampleRequest(method, path, operation),
  };
}

export function renderOperation({ name, anchor, operation, request }: OperationEntry): string {
  const { summary, description = '', parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const { 200: success, ...others } = responses;
  const parametersHtml = renderFields(
    parameters.map(({ name, schema, in: place, required = false, description, example }) => ({
      ...{ name, place, required },
      schema: {
        ...schema,
        ...(description && { description }),
        ...(example !== undefined && { examples: [example] }),
      },
    })),
    IN_REQUEST,
  );
  const text = [
    heading(3, anchor, summary),
    `<p class="route">${renderRoute(name)}</p><p>${inline(description)}</p>`,
    parameters.length === 0 ? '' : `<h4>Parameters</h4>${parametersHtml}`,
    body === undefined ? '' : `<h4>Body</h4>${renderFields(fieldsOf(body), IN_REQUEST)}`,
    success === undefined ? '' : renderSuccess(success),
  ];
  const examples = [
    renderSamples(name, request),
    success === undefined ? '' : renderExample('200', success),
    ...Object.entries(others).map(([status, response]) => renderFailure(status, response)),
  ];
  return `<section aria-labelledby="${anchor}">${pair(text.join('\n'), examples.join('\n'))}</section>`;
}

function renderRoute(name: string): string {
  const [method = '', path = ''] = name.split(' ');
  return `<span class="method ${method.toLowerCase()}">${method}</span>${code(path)}`;
}

function renderSuccess({ description, content = {} }: Response): string {
  const schema = Object.values(content)[0]?.schema ?? {};
  const list = schema.items === undefined ? '' : ' The answer is a list.';
  return `<h4>Answer</h4><p>${inline(description)}${list}</p>${renderFields(fieldsOf(schema), IN_ANSWER)}`;
}

function renderExample(status: string, response: Response): string {
  return `<figure><figcaption>Answer <span>${escapeHtml(status)}</span></figcaption>${bodyOf(response)}</figure>`;
}

function bodyOf({ content = {} }: Response): string {
  const [answer] = Object.values(content);
  const example = answer?.example ?? exampleOf(answer?.schema ?? {});
  return typeof example === 'string' ? block(example) : json(example);
}

/** Folded, because there are many; its heading names the problems. */
function renderFailure(status: string, response: Response): string {
  const { content = {}, headers = {} } = response;
  const problems = Object.entries(content['application/problem+json']?.examples ?? {});
  const title =
    problems.length === 0 ? inline(response.description) : problems.map(([name]) => code(name)).join(' ');
  const inner = [
    definitions(Object.entries(headers).map(([name, { description }]) => [code(name), inline(description)])),
    ...problems.map(([name, { value }]) => `<p>${link(`/problems/${name}`, code(name))}</p>${json(value)}`),
    problems.length === 0 ? bodyOf(response) : '',
  ];
  return `<details class="failure"><summary><strong>${escapeHtml(status)}</strong> ${title}</summary>${inner.join('\n')}</details>`;
}
