import { Skeleton } from '@mantine/core';
import type { OverviewParts } from '#contract/overview.ts';
import { lazyPage } from '../../../frame/broken/lazy-page.tsx';
import { Section } from '../../../parts/page/page.tsx';
import { MEANS } from '../words.ts';
import css from './levels.module.css';

/** With its shapes, which come after the rest of the page. */
const WorldMap = lazyPage(
  () => import('./world-map.tsx'),
  <Skeleton className={css.outline} role="status" aria-label="Loading" />,
);

export function MapSection({ parts: { countries } }: { readonly parts: OverviewParts }) {
  return (
    <Section title="Map" about="Conversion by country." explain={MEANS.Map}>
      <WorldMap countries={countries} />
    </Section>
  );
}
