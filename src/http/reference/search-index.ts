/** What the search looks through: titles, headings and the names in tables, each with its address and what it belongs to. */
import { PROBLEM_NAMES, PROBLEMS, problemPath } from '../problem.ts';
import { groupGuides } from './guide-groups.ts';
import type { Library } from './guides.ts';
import { partsOf } from './markdown.ts';
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
      const parts = partsOf(guide).flatMap(({ id, title, terms }): Entry[] => {
        const at = `${address}#${id}`;
        return [[at, title, guide.title], ...terms.map((term): Entry => [at, term, guide.title])];
      });
      return [[address, guide.title, group], ...parts];
    }),
  );
  return [...operations, ...rules, ...guides, ...problems];
}
