/** The page of a guide, and the list of all. */
import type { Page } from './frame.ts';
import { groupGuides } from './guide-groups.ts';
import type { Guide, Library } from './guides.ts';
import { escapeHtml, heading } from './html.ts';
import { aboutOf, partsOfGuide, renderMarkdown } from './markdown.ts';
import { GUIDES_PATH } from './paths.ts';

export function renderGuide(guide: Guide, library: Library): Page {
  return {
    title: guide.title,
    at: `${GUIDES_PATH}/${guide.name}`,
    isGuide: true,
    content: renderMarkdown(guide, library),
    outline: partsOfGuide(guide),
  };
}

export function renderGuideList(library: Library): Page {
  const groups = groupGuides(library).map(({ title, guides }) => {
    const id = title.toLowerCase().replaceAll(' ', '-');
    return `${heading(2, id, title)}<ul class="cards">${guides.map(renderCard).join('\n')}</ul>`;
  });
  return {
    title: 'Guides',
    at: GUIDES_PATH,
    isGuide: true,
    content: `<h1>Guides</h1>${groups.join('\n')}`,
  };
}

const renderCard = (guide: Guide): string =>
  `<li><a href="${GUIDES_PATH}/${guide.name}"><strong>${escapeHtml(guide.title)}</strong>${escapeHtml(aboutOf(guide))}</a></li>`;
