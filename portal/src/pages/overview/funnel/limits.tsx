import { Text } from '@mantine/core';
import type { OverviewTotal } from '#contract/overview.ts';
import { formatCount } from '../../../format/number.ts';
import { Fact } from '../../../parts/fact.tsx';
import { Section } from '../../../parts/page/page.tsx';
import { MEANS } from '../words.ts';
import css from './funnel-bars.module.css';

export function Limits({ limits }: { readonly limits: NonNullable<OverviewTotal['limits']> }) {
  const figures = [
    ['Refused: too many with one key', limits.by_key],
    ['Refused: too many to one number', limits.by_destination],
    ['Wrong codes', limits.mismatched],
  ] as const;
  return (
    <Section
      title="Limits"
      explain={MEANS.Limits}
      about="Many wrong codes, or many requests for one number, suggest that someone is guessing."
    >
      <dl className={css.figures}>
        {figures.map(([name, count]) => (
          <Fact key={name} name={name}>
            <Text component="span" size="lg" fw={600}>
              {formatCount(count)}
            </Text>
          </Fact>
        ))}
      </dl>
    </Section>
  );
}
