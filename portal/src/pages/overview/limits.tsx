import { Text } from '@mantine/core';
import type { Overview } from '#contract/overview.ts';
import { formatCount } from '../../format/number.ts';
import { Section } from '../../parts/page.tsx';
import css from './funnel-bars.module.css';

export function Limits({ limits }: { readonly limits: NonNullable<Overview['limits']> }) {
  const figures = [
    ['Refused: too many with a key', limits.by_key],
    ['Refused: too many to one number', limits.by_destination],
    ['Wrong codes', limits.mismatched],
  ] as const;
  return (
    <Section
      title="Limits"
      about="Many wrong codes, or a number asked for again and again, are signs of somebody guessing."
    >
      <dl className={css.figures}>
        {figures.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Text component="span" size="lg" fw={600}>
                {formatCount(count)}
              </Text>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
