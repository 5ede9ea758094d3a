/** The reference for people, made from the OpenAPI document and the catalogue of problems. */
import { type OpenApiDocument, problemExample } from '../openapi.ts';
import { PROBLEMS, type ProblemName } from '../problem.ts';
import type { Page } from './frame.ts';
import { code, escapeHtml, heading, inline, json, link } from './html.ts';
import { type OperationEntry, operationEntry, renderOperation } from './operation.ts';
import { GUIDES_PATH, REFERENCE_PATH } from './paths.ts';
import { LANGUAGE_CHOICE } from './samples/languages.ts';
import { quickStart, RULES, type Section } from './sections.ts';

interface Group {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly entries: readonly OperationEntry[];
}

export interface Reference {
  readonly info: OpenApiDocument['info'];
  readonly groups: readonly Group[];
  /** The first stands before the operations, the others after them. */
  readonly sections: readonly [Section, ...Section[]];
}

export function readReference({ info, tags, paths }: OpenApiDocument): Reference {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationEntry(method, path, operation)),
  );
  const groups = tags.map(({ name, description = '' }) => ({
    id: `${name}-group`,
    title: capitalize(name),
    about: description,
    entries: entries.filter(({ operation }) => operation.tags?.includes(name)),
  }));
  return { info, groups, sections: [quickStart(entries), ...RULES] };
}

export function renderReference({ info, groups, sections: [start, ...rules] }: Reference): Page {
  return {
    title: 'API reference',
    at: REFERENCE_PATH,
    isGuide: false,
    content: `<h1>${escapeHtml(info.title)} API</h1>
<p>${inline(info.description)} For programs, there is ${link('/openapi.json', 'OpenAPI 3.1')}; for all
else, the ${link(GUIDES_PATH, 'guides')}.</p>
${LANGUAGE_CHOICE}
${renderSection(start)}
${groups.map(renderGroup).join('\n')}
${rules.map(renderSection).join('\n')}`,
  };
}

/** The page that a problem's `type` leads to. */
export function renderProblem(name: ProblemName): Page {
  const { status, title, doc } = PROBLEMS[name];
  return {
    title,
    at: `${REFERENCE_PATH}#problems`,
    isGuide: true,
    content: `<h1>${escapeHtml(title)}</h1><p>${code(name)}, status ${status}</p><p>${inline(doc)}</p>
<figure><figcaption>Problem <span>${status}</span></figcaption>${json(problemExample(name))}</figure><p>${link(`${REFERENCE_PATH}#problems`, 'All problems')}</p>`,
  };
}

/** Where nothing stands: the way to all that does. */
export function renderMissing(): Page {
  return {
    title: 'No such page',
    at: '',
    isGuide: true,
    content: `<h1>There is no such page</h1>
<p>Look for it among ${link(GUIDES_PATH, 'all guides')}, or in the ${link(REFERENCE_PATH, 'API reference')}.</p>`,
  };
}

const renderSection = ({ id, title, html }: Section): string =>
  `<section aria-labelledby="${id}">${heading(2, id, title)}${html}</section>`;

const renderGroup = ({ id, title, about, entries }: Group): string =>
  `<section aria-labelledby="${id}">${heading(2, id, title)}<p>${inline(about)}</p>
${entries.map(renderOperation).join('\n')}</section>`;

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
