/** The guides: the Markdown files of docs/ that came with this version, as pages. */
import { readdir, readFile } from 'node:fs/promises';
import { Marked } from 'marked';
import { GUIDES_PATH, renderPage } from './frame.ts';
import { block, escapeHtml, link } from './html.ts';

/** At the same place in a checkout, in the package and in the image. */
const FOLDER = new URL('../../../docs/', import.meta.url);
const FILE = /^([a-z\d-]+(?:\/[a-zA-Z\d-]+)?)\.md$/;

interface Guide {
  /** Its file below docs/, without the ending: `alerts`, `recipes/express`. */
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
}

type Guides = ReadonlyMap<string, Guide>;

let reading: Promise<Guides> | undefined;

/** They are files of the program, so they are read once. */
export function readGuides(): Promise<Guides> {
  reading ??= readAll();
  return reading;
}

async function readAll(): Promise<Guides> {
  const files = await readdir(FOLDER, { recursive: true });
  const names = files.flatMap((file) => FILE.exec(file.replaceAll('\\', '/'))?.[1] ?? []).sort();
  const guides = names.map(async (name): Promise<[string, Guide]> => {
    const markdown = await readFile(new URL(`${name}.md`, FOLDER), 'utf8');
    return [name, { name, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name, markdown }];
  });
  return new Map(await Promise.all(guides));
}

const pages = new Map<string, string>();

/** The page of one guide, or with an empty name the list of all; undefined if there is none of that name. Each is made once. */
export function renderGuide(guides: Guides, name: string): string | undefined {
  const page = pages.get(name) ?? (name === '' ? makeList(guides) : makePage(guides, name));
  if (page !== undefined) pages.set(name, page);
  return page;
}

function makeList(guides: Guides): string {
  return renderPage('Guides', `<main class="alone"><h1>Guides</h1>${renderContents(guides)}</main>`);
}

function makePage(guides: Guides, name: string): string | undefined {
  const guide = guides.get(name);
  if (guide === undefined) return undefined;
  const contents = renderContents(guides, name);
  return renderPage(
    guide.title,
    `<div class="layout"><nav class="side" aria-label="Guides">${contents}</nav>
<nav class="fold" aria-label="Guides"><details><summary>All guides</summary>${contents}</details></nav>
<main class="guide">${renderMarkdown(guide, guides)}</main></div>`,
  );
}

/** Decisions are led to by the guides that rest on them. */
function renderContents(guides: Guides, current?: string): string {
  const isRecipe = ({ name }: Guide) => name.startsWith('recipes/');
  const own = [...guides.values()].filter(({ name }) => !name.includes('/'));
  const entries = [...own, ...[...guides.values()].filter(isRecipe)];
  const items = entries.map(({ name, title }) => {
    const mark = name === current ? ' aria-current="page"' : '';
    return `<li><a href="${GUIDES_PATH}/${name}"${mark}>${escapeHtml(title)}</a></li>`;
  });
  return `<ul><li>${link('/docs', 'API reference')}</li>${items.join('\n')}</ul>`;
}

function renderMarkdown({ name, markdown }: Guide, guides: Guides): string {
  const marked = new Marked({
    renderer: {
      heading({ text, depth, tokens }) {
        const content = this.parser.parseInline(tokens);
        const id = anchorOf(text);
        return depth === 1
          ? `<h1>${content}</h1>`
          : `<h${depth} id="${id}">${link(`#${id}`, content)}</h${depth}>`;
      },
      code: ({ text }) => block(text),
      // Pictures are for who reads the files.
      image: () => '',
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const address = addressOf(href, name, guides);
        return address === undefined ? content : link(address, content);
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  // A wide table scrolls inside itself, like code.
  return html
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/** The anchor that GitHub gives a heading, which links within the guides go by. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Where a link of a guide leads to here; undefined for files that are no guides, such as code. */
function addressOf(href: string, from: string, guides: Guides): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///docs/${from}.md`);
  const [, name] = /^\/docs\/(.+)\.md$/.exec(pathname) ?? [];
  return name !== undefined && guides.has(name) ? `${GUIDES_PATH}/${name}${hash}` : undefined;
}
