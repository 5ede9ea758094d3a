import { Button, Table } from '@mantine/core';
import type { OverviewParts } from '#contract/overview.ts';
import { countryName } from '../../format/country.ts';
import { formatCount, formatLatency, formatMoney } from '../../format/number.ts';
import { LongTable } from '../../parts/page/long-table.tsx';
import { Section } from '../../parts/page/page.tsx';
import css from './breakdown.module.css';
import { beginOf, costOfEach, stagesOf } from './funnel/funnel.ts';
import { StageCell } from './funnel/stage-cell.tsx';
import { MEANS } from './words.ts';

interface BreakdownProps {
  readonly title: 'By country' | 'By carrier' | 'By key';
  readonly filter: 'country' | 'carrier' | 'key';
  readonly of: OverviewParts;
  readonly currency: string;
  readonly picked: string | null;
  readonly pick: (name: string) => void;
}

const LISTS = { country: 'countries', carrier: 'carriers', key: 'keys' } as const;

/** The funnel by one dimension; each name is a filter for the whole page. */
export function Breakdown({ title, filter, of, currency, picked, pick }: BreakdownProps) {
  const parts = of[LISTS[filter]];
  const [first] = parts;
  if (first === undefined) return null;
  const stages = stagesOf(first.funnel).map(({ name }) => name);
  const columns = [beginOf(first.funnel).name, ...stages, 'Median', 'Cost', 'Cost per confirmation'];
  return (
    <Section title={title} explain={MEANS[title]}>
      <LongTable
        label={title}
        columns={['Name', ...columns]}
        figures={columns}
        rows={parts}
        of={LISTS[filter]}
      >
        {({ name, label, funnel, confirmed_ms }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">
              <Button
                size="compact-sm"
                classNames={{ root: css.pick, label: css.name }}
                variant={picked === name ? 'filled' : 'subtle'}
                aria-pressed={picked === name}
                onClick={() => pick(name)}
              >
                {filter === 'country' ? countryName(name) : label}
              </Button>
            </Table.Th>
            <Table.Td className="number">{formatCount(beginOf(funnel).count)}</Table.Td>
            {stagesOf(funnel).map((stage) => (
              <StageCell key={stage.name} count={stage.count} of={stage.of} />
            ))}
            <Table.Td className="number">{formatLatency(confirmed_ms.p50)}</Table.Td>
            <Table.Td className="number">{formatMoney(funnel.cost, currency)}</Table.Td>
            <Table.Td className="number">{formatMoney(costOfEach(funnel), currency)}</Table.Td>
          </Table.Tr>
        )}
      </LongTable>
    </Section>
  );
}
