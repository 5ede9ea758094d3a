/** The reference for people: static HTML without scripts, made from the OpenAPI document and the catalogue of problems. */
import { type OpenApiDocument, problemExample } from '../openapi.ts';
import { PROBLEMS, type ProblemName } from '../problem.ts';
import { GUIDES_PATH, renderPage } from './frame.ts';
import { quickStart, RULES, type Section } from './guide.ts';
import { code, escapeHtml, heading, inline, json, link } from './html.ts';
import { type OperationEntry, operationEntry, renderOperation } from './operation.ts';
import { LANGUAGE_CHOICE } from './samples/languages.ts';

export { CONTENT_SECURITY_POLICY } from './style.ts';

interface Group {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly entries: readonly OperationEntry[];
}

export function renderReference({ info, tags, paths }: OpenApiDocument): string {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationEntry(method, path, operation)),
  );
  const groups = tags.map(({ name, description = '' }) => ({
    id: `${name}-group`,
    title: capitalize(name),
    about: description,
    entries: entries.filter(({ operation }) => operation.tags?.includes(name)),
  }));
  const start = quickStart(entries);
  const contents = renderContents(start, groups);
  return renderPage(
    `${info.title} API`,
    `<div class="layout">
<nav class="side" aria-label="Contents">${contents}</nav>
<nav class="fold" aria-label="Contents"><details><summary>Contents</summary>${contents}</details></nav>
<main><h1>${escapeHtml(info.title)} API</h1>
<p>${inline(info.description)} For programs, there is ${link('/openapi.json', 'OpenAPI 3.1')}; for all
else, the ${link(GUIDES_PATH, 'guides')}.</p>
${LANGUAGE_CHOICE}
${renderSection(start)}
${groups.map(renderGroup).join('\n')}
${RULES.map(renderSection).join('\n')}</main></div>`,
  );
}

/** The page that a problem's `type` leads to. */
export function renderProblem(name: ProblemName): string {
  const { status, title, doc } = PROBLEMS[name];
  return renderPage(
    title,
    `<main class="alone"><h1>${escapeHtml(title)}</h1><p>${code(name)}, status ${status}</p><p>${inline(doc)}</p>
${json(problemExample(name))}<p>${link('/docs#problems', 'All problems')}</p></main>`,
  );
}

function renderContents(start: Section, groups: readonly Group[]): string {
  const entry = ({ id, title }: Section) => `<li>${link(`#${id}`, escapeHtml(title))}</li>`;
  const operations = groups.map(({ id, title, entries }) => {
    const inner = entries.map(({ anchor, name }) => `<li>${link(`#${anchor}`, escapeHtml(name))}</li>`);
    return `<li>${link(`#${id}`, title)}<ul>${inner.join('')}</ul></li>`;
  });
  return `<ul>${[entry(start), ...operations, ...RULES.map(entry)].join('\n')}</ul>`;
}

const renderSection = ({ id, title, html }: Section): string =>
  `<section aria-labelledby="${id}">${heading(2, id, title)}${html}</section>`;

const renderGroup = ({ id, title, about, entries }: Group): string =>
  `<section aria-labelledby="${id}">${heading(2, id, title)}<p>${inline(about)}</p>
${entries.map(renderOperation).join('\n')}</section>`;

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
