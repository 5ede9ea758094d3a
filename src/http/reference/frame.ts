/** What every page is put into. */
import { escapeHtml } from './html.ts';
import { STYLE } from './style.ts';

export const GUIDES_PATH = '/docs/guides';

export function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body>${content}</body></html>
`;
}
