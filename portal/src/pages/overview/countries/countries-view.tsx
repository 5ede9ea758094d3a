import { Text } from '@mantine/core';
import { Answer } from '../../../parts/answer.tsx';
import { type OverviewInRange, useBehind, useParts } from '../query.ts';
import { Heatmap } from './heatmap.tsx';
import { MapSection } from './map-section.tsx';

interface CountriesViewProps {
  readonly overview: OverviewInRange;
  readonly search: URLSearchParams;
}

/** Where codes are confirmed, and over which carriers. */
export function CountriesView({ overview, search }: CountriesViewProps) {
  const parts = useParts(search);
  const behind = useBehind(overview, search);
  return (
    <Answer of={parts} lines={8}>
      {(found) =>
        found.countries.length === 0 ? (
          <Text c="dimmed">No codes were requested in this period.</Text>
        ) : (
          <>
            <Heatmap parts={found} behind={behind} />
            <MapSection parts={found} />
          </>
        )
      }
    </Answer>
  );
}
