/** Guides as HTML, and the parts of them that lists and the search show. */
import { Marked, type Tokens } from 'marked';
import type { Guide, Library } from './guides.ts';
import { block, escapeHtml, link, table } from './html.ts';
import { GUIDES_PATH } from './paths.ts';

export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly title: string;
}

export function renderMarkdown({ name, markdown }: Guide, library: Library): string {
  const anchorOf = createAnchors();
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
      image({ href, text }) {
        const picture = library.pictures.get(pathIn(href, name));
        if (picture === undefined) return '';
        const { address, width, height } = picture;
        // With its size, so that nothing moves when it comes.
        return `<img src="${address}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`;
      },
      table({ header, rows }) {
        const show = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const heads = header.map(({ text }) => plain(text));
        return table(
          header.map(show),
          rows.map((row) => row.map((cell, index) => ({ head: heads[index] ?? '', content: show(cell) }))),
        );
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const address = addressOf(href, name, library);
        return address === undefined ? content : link(address, content);
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

interface Part extends Heading {
  /** What its tables explain, such as options. */
  readonly terms: readonly Term[];
}

interface Term {
  /** From the first column; below a heading that is a name, with that before it. */
  readonly name: string;
  /** The environment variable that its row names. */
  readonly variable?: string | undefined;
}

/** Those below the title, without making the page: the search wants those of all guides at once. */
export function partsOfGuide({ markdown }: Guide): Part[] {
  const anchorOf = createAnchors();
  // Every other piece is code.
  const pieces = markdown.split(/^ *```.*$/m).filter((_, index) => index % 2 === 0);
  const parts: (Part & { readonly terms: Term[] })[] = [];
  let above = '';
  for (const line of pieces.join('\n').split('\n')) {
    const [, marks, title = ''] = /^(#+) (.+)$/.exec(line) ?? [];
    const [, term] = /^\| `([^`]+)`/.exec(line) ?? [];
    if (marks !== undefined) {
      parts.push({ depth: marks.length, id: anchorOf(title), title: plain(title), terms: [] });
      const [, name] = /^`([^`]+)`(?:, type `[^`]+`)?$/.exec(title) ?? [];
      above = name === undefined ? '' : `${name}.`;
    } else if (term !== undefined) {
      const [, variable] = /`(COUNTERSIGN_[A-Z\d_]+)`/.exec(line) ?? [];
      parts.at(-1)?.terms.push({ name: above + term, variable });
    }
  }
  return parts.filter(({ depth }) => depth > 1);
}

/** The first sentence below the title; empty where a table or code stands there. */
export function aboutOf({ markdown }: Guide): string {
  const [, paragraph = ''] = markdown.replace(/<!--.*?-->\n+/s, '').split('\n\n');
  const [sentence = ''] = /^[\p{L}[][^|]*?(?:[.?!](?=\s|$)|:$)/su.exec(paragraph) ?? [];
  return plain(sentence.replaceAll('\n', ' ')).replace(/:$/, '.');
}

const plain = (text: string): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');

/** The anchors that GitHub gives the headings of a file, in their order: links within the guides go by them. */
function createAnchors(): (text: string) => string {
  const times = new Map<string, number>();
  return (text) => {
    const anchor = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
}

/** Where a link of a guide leads to here; undefined for files that are no guides, such as code. */
function addressOf(href: string, from: string, { guides }: Library): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const name = pathIn(path, from).replace(/\.md$/, '');
  if (!path.endsWith('.md') || !guides.has(name)) return undefined;
  return `${GUIDES_PATH}/${name}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The path below docs/ of what a guide leads to. */
const pathIn = (href: string, from: string): string =>
  new URL(href, `file:///docs/${from}.md`).pathname.replace(/^\/docs\//, '');
