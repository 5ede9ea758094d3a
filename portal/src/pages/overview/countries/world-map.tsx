import { Text } from '@mantine/core';
import type { OverviewParts } from '#contract/overview.ts';
import world from '../../../charts/world.json';
import { countryName } from '../../../format/country.ts';
import { formatCount, formatRate } from '../../../format/number.ts';
import { stagesOf } from '../funnel/funnel.ts';
import { LevelLegend, levelClass } from './legend.tsx';
import { levelOf } from './level.ts';
import css from './levels.module.css';

/** Of the shapes in world.json (Natural Earth, public domain, in the Equal Earth projection). */
const VIEW_BOX = '0 0 1000 469';
const SHAPES: ReadonlyMap<string, string> = new Map(Object.entries(world));

/** Conversion by country. The table of countries has the same figures. */
export default function WorldMap({ countries }: Pick<OverviewParts, 'countries'>) {
  const places = new Map(
    countries.map(({ name, funnel }) => {
      const { count, of } = stagesOf(funnel)[2];
      const level = levelOf(count, of);
      const share = level === undefined ? 'too few' : formatRate(count, of);
      return [name, { level, text: `${countryName(name)}: ${share} of ${formatCount(of)}` }];
    }),
  );
  const missing = [...places].flatMap(([name, { text }]) => (SHAPES.has(name) ? [] : [text]));
  return (
    <>
      <svg
        className={css.map}
        viewBox={VIEW_BOX}
        role="img"
        aria-label="Conversion by country; the figures are in the table of countries."
      >
        {[...SHAPES].map(([name, shape]) => {
          const place = places.get(name);
          return (
            <path key={name} className={`${css.country} ${levelClass(place?.level)}`} d={shape}>
              {place !== undefined && <title>{place.text}</title>}
            </path>
          );
        })}
      </svg>
      {missing.length > 0 && (
        <Text size="sm" c="dimmed">
          Too small for this map: {missing.join('; ')}.
        </Text>
      )}
      <LevelLegend />
    </>
  );
}
