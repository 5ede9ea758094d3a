import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import type { Overview } from '#contract/overview.ts';
import { lazyPage } from '../../../frame/broken/lazy-page.ts';
import { Section } from '../../../parts/page/page.tsx';
import { MEANS } from '../words.ts';

/** With its shapes, which come after the rest of the page. */
const WorldMap = lazyPage(() => import('./world-map.tsx'));

export function MapSection({ overview: { countries } }: { readonly overview: Overview }) {
  if (countries.length === 0) return null;
  return (
    <Section title="Map" about="Conversion by country." explain={MEANS.Map}>
      <Suspense fallback={<Skeleton height={240} />}>
        <WorldMap countries={countries} />
      </Suspense>
    </Section>
  );
}
