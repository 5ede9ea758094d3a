/** The way to all pages: the reference first, then the guides in their groups. */
import type { NavigationGroup } from './frame.ts';
import { groupGuides } from './guide-groups.ts';
import type { Library } from './guides.ts';
import type { Reference } from './page.ts';
import { GUIDES_PATH, REFERENCE_PATH } from './paths.ts';

export function navigationOf(reference: Reference, library: Library): NavigationGroup[] {
  const [start, ...others] = groupGuides(library).map(({ title, guides }) => ({
    title,
    links: guides.map(({ name, title }) => ({ href: `${GUIDES_PATH}/${name}`, title })),
  }));
  const all = { href: GUIDES_PATH, title: 'All guides' };
  return [
    { title: 'API reference', links: linksOf(reference) },
    ...(start === undefined ? [] : [{ title: start.title, links: [all, ...start.links] }]),
    ...others,
  ];
}

function linksOf({ groups, sections: [start, ...rules] }: Reference): NavigationGroup['links'] {
  const linkTo = (id: string, title: string) => ({ href: `${REFERENCE_PATH}#${id}`, title });
  return [
    { href: REFERENCE_PATH, title: 'Overview' },
    linkTo(start.id, start.title),
    ...groups.flatMap(({ entries }) => entries.map(({ anchor, name }) => linkTo(anchor, name))),
    ...rules.map(({ id, title }) => linkTo(id, title)),
  ];
}
