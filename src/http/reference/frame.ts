/** What every page is put into: the face of the portal, with the way to all other pages. */
import type { Asset } from './assets.ts';
import { escapeHtml, link } from './html.ts';
import type { Heading } from './markdown.ts';
import { REFERENCE_PATH } from './paths.ts';

/** Everything comes from this service, and nothing is written into the page. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export interface Page {
  readonly title: string;
  readonly content: string;
  /** Text is easier to read in short lines; the reference has two columns. */
  readonly isGuide: boolean;
  /** Where in the navigation it is. */
  readonly at: string;
  /** What stands beside it as its contents. */
  readonly outline?: readonly Heading[];
}

export interface NavigationGroup {
  readonly title: string;
  readonly links: readonly NavigationLink[];
}

interface NavigationLink {
  readonly href: string;
  readonly title: string;
}

export interface Frame {
  readonly navigation: readonly NavigationGroup[];
  readonly style: Asset;
  readonly script: Asset;
  /** The portal is served beside the pages. */
  readonly hasPortal: boolean;
}

const ICON = '/portal/icon.svg';

export function renderPage({ title, content, isGuide, at, outline = [] }: Page, frame: Frame): string {
  const { navigation, style, script, hasPortal } = frame;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Countersign</title><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${style.address}"><script src="${script.address}"></script>${hasPortal ? `<link rel="icon" type="image/svg+xml" href="${ICON}">` : ''}</head>
<body><a class="skip" href="#page">Skip to content</a>
<div class="side"><header class="bar">${renderBrand(hasPortal)}
<button class="find" type="button" aria-haspopup="dialog">Search <kbd>/</kbd></button>
<button class="menu" type="button" popovertarget="contents">Menu</button></header>
<nav class="contents" id="contents" aria-label="Documentation" popover>
<button class="menu" type="button" popovertarget="contents" popovertargetaction="hide">Close</button>
${renderNavigation(navigation, at)}</nav></div>
<main id="page" tabindex="-1"${isGuide ? ' class="guide"' : ''}>${content}</main>${renderOutline(outline)}
</body></html>
`;
}

function renderBrand(hasPortal: boolean): string {
  const icon = hasPortal ? `<img src="${ICON}" alt="" width="22" height="22">` : '';
  return `<a class="brand" href="${hasPortal ? '/portal/' : REFERENCE_PATH}">${icon}Countersign</a>`;
}

/** Open where somebody is, and at its first group elsewhere. */
function renderNavigation(groups: readonly NavigationGroup[], at: string): string {
  const open = groups.find(({ links }) => links.some(({ href }) => href === at)) ?? groups[0];
  return groups
    .map((group) => {
      const items = group.links.map(({ href, title }) => {
        const mark = href === at ? ' aria-current="page"' : '';
        return `<li><a href="${href}"${mark}>${escapeHtml(title)}</a></li>`;
      });
      const state = group === open ? ' open' : '';
      return `<details${state}><summary>${group.title}</summary><ul>${items.join('')}</ul></details>`;
    })
    .join('\n');
}

function renderOutline(headings: readonly Heading[]): string {
  const parts = headings.filter(({ depth }) => depth === 2);
  if (parts.length < 2) return '';
  const items = parts.map(({ id, title }) => `<li>${link(`#${id}`, escapeHtml(title))}</li>`);
  return `<aside class="outline" aria-labelledby="outline"><p id="outline">On this page</p><ul>${items.join('')}</ul></aside>`;
}
