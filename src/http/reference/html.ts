/** The few pieces of HTML that the pages are made of. Nothing reaches a page without being escaped here. */

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Escapes, and marks text between backquotes as code. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

export const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

export const link = (href: string, content: string): string => `<a href="${escapeHtml(href)}">${content}</a>`;

/** A block of code scrolls inside itself, and the keyboard can do that only where it can go. */
export const block = (text: string): string =>
  `<div class="block"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>`;

export const json = (value: unknown): string => block(JSON.stringify(value, null, 2));

export const list = (items: readonly string[]): string =>
  `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

/** Terms with their meanings: unlike a table, it fits every window. */
export function definitions(rows: readonly (readonly [term: string, meaning: string])[]): string {
  return `<dl>${rows.map(([term, meaning]) => `<dt>${term}</dt><dd>${meaning}</dd>`).join('\n')}</dl>`;
}

interface Cell {
  /** The name of its column, in words. */
  readonly head: string;
  readonly content: string;
}

/**
 * A wide table scrolls inside itself, like code; in a narrow window each row is a card, and each cell says what it is.
 * The roles stay when the style makes it no table. A column without a name has no heading.
 */
export function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const heads = header.map((head) =>
    head === '' ? '<td role="cell"></td>' : `<th role="columnheader">${head}</th>`,
  );
  const cells = (row: readonly Cell[]) =>
    row.map(({ head, content }) => `<td role="cell" data-label="${escapeHtml(head)}">${content}</td>`);
  const line = (parts: readonly string[]) => `<tr role="row">${parts.join('')}</tr>`;
  return `<div class="wide" tabindex="0"><table role="table"><thead role="rowgroup">${line(heads)}</thead>
<tbody role="rowgroup">${rows.map((row) => line(cells(row))).join('\n')}</tbody></table></div>`;
}

/** A heading that links to itself, so that its address can be copied. */
export const heading = (level: 2 | 3, id: string, title: string): string =>
  `<h${level} id="${id}">${link(`#${id}`, escapeHtml(title))}</h${level}>`;

/** Text on the left and examples on the right, one below the other where there is no room. */
export const pair = (text: string, examples: string): string =>
  `<div class="pair"><div>${text}</div><div class="examples">${examples}</div></div>`;
