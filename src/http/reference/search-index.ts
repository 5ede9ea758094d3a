/** What the search looks through: titles and headings, each with its address and what it belongs to. */
import { PROBLEM_NAMES, PROBLEMS, problemPath } from '../problem.ts';
import { groupGuides } from './guide-groups.ts';
import type { Library } from './guides.ts';
import { headingsOf } from './markdown.ts';
import type { Reference } from './page.ts';
import { GUIDES_PATH, REFERENCE_PATH } from './paths.ts';

type Entry = readonly [address: string, title: string, about: string];

export function makeSearchIndex({ groups, sections }: Reference, library: Library): Entry[] {
  const operations = groups.flatMap(({ entries }) =>
    entries.map(
      ({ anchor, name, operation }): Entry => [`${REFERENCE_PATH}#${anchor}`, name, operation.summary],
    ),
  );
  const rules = sections.map(({ id, title }): Entry => [`${REFERENCE_PATH}#${id}`, title, 'API reference']);
  const problems = PROBLEM_NAMES.map((name): Entry => [problemPath(name), name, PROBLEMS[name].title]);
  const guides = groupGuides(library).flatMap(({ title: group, guides }) =>
    guides.flatMap((guide): Entry[] => {
      const address = `${GUIDES_PATH}/${guide.name}`;
      const parts = headingsOf(guide).map(({ id, title }): Entry => [`${address}#${id}`, title, guide.title]);
      return [[address, guide.title, group], ...parts];
    }),
  );
  return [...operations, ...rules, ...guides, ...problems];
}
