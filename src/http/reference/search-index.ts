/** What the search looks through: titles, headings and the names in tables, each with its address and what it belongs to. */
import { PROBLEM_NAMES, PROBLEMS, problemPath } from '../problem.ts';
import { groupGuides } from './guide-groups.ts';
import type { Library } from './guides.ts';
import { partsOfGuide } from './markdown.ts';
import type { Reference } from './page.ts';
import { GUIDES_PATH, REFERENCE_PATH } from './paths.ts';
import { SYNONYMS } from './synonyms.ts';

/** `also` holds further words that find it, and are not shown. */
type Entry = readonly [address: string, title: string, about: string, also: string];

export function makeSearchIndex({ groups, sections }: Reference, library: Library): Entry[] {
  const place = (address: string, title: string, about: string): Entry => [
    ...([address, title, about] as const),
    SYNONYMS[address] ?? '',
  ];
  const operations = groups.flatMap(({ entries }) =>
    entries.map(({ anchor, name, operation }) =>
      place(`${REFERENCE_PATH}#${anchor}`, name, operation.summary),
    ),
  );
  const rules = sections.map(({ id, title }) => place(`${REFERENCE_PATH}#${id}`, title, 'API reference'));
  const problems = PROBLEM_NAMES.map((name) => place(problemPath(name), name, PROBLEMS[name].title));
  const guides = groupGuides(library).flatMap(({ title: group, guides }) =>
    guides.flatMap((guide): Entry[] => {
      const address = `${GUIDES_PATH}/${guide.name}`;
      const parts = partsOfGuide(guide).flatMap(({ id, title, terms }): Entry[] => {
        const at = `${address}#${id}`;
        const about = `${guide.title} · ${title}`;
        return [
          place(at, title, guide.title),
          ...terms.map(({ name, variable = '' }): Entry => [at, name, about, variable]),
        ];
      });
      return [place(address, guide.title, group), ...parts];
    }),
  );
  return [...operations, ...rules, ...guides, ...problems];
}
