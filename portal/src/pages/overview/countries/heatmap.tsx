import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import type { Overview } from '#contract/overview.ts';
import { countryName } from '../../../format/country.ts';
import { formatCount, formatRate } from '../../../format/number.ts';
import { Section } from '../../../parts/page/page.tsx';
import { ScrollingTable } from '../../../parts/page/scroller.tsx';
import { MEANS } from '../words.ts';
import { LevelLegend, levelClass } from './legend.tsx';
import { levelOf } from './level.ts';
import css from './levels.module.css';

const TITLE = 'Countries and carriers';
const FIRST = 12;

/** How well each carrier's messages are confirmed in each country: a table, with a colour for each share. */
export function Heatmap({ overview: { cells, countries, carriers } }: { readonly overview: Overview }) {
  const [all, showAll] = useState(false);
  const columns = carriers
    .map(({ name }) => name)
    .filter((name) => cells.some((each) => each.carrier === name));
  const rows = countries.filter(({ name }) => cells.some((each) => each.country === name));
  if (rows.length === 0) return null;
  return (
    <Section
      title={TITLE}
      about="Confirmed, as a share of the accepted messages, and how many those are."
      explain={MEANS[TITLE]}
    >
      <ScrollingTable label={TITLE} columns={['Country', ...columns]} figures={columns}>
        {rows.slice(0, all ? rows.length : FIRST).map(({ name: country }) => (
          <Table.Tr key={country}>
            <Table.Th scope="row">{countryName(country)}</Table.Th>
            {columns.map((carrier) => (
              <Cell
                key={carrier}
                cell={cells.find((each) => each.country === country && each.carrier === carrier)}
              />
            ))}
          </Table.Tr>
        ))}
      </ScrollingTable>
      {!all && rows.length > FIRST && (
        <Button mt="sm" variant="default" size="xs" onClick={() => showAll(true)}>
          Show all {rows.length} countries
        </Button>
      )}
      <LevelLegend />
    </Section>
  );
}

function Cell({ cell }: { readonly cell: Overview['cells'][number] | undefined }) {
  if (cell === undefined) return <Table.Td className="number">–</Table.Td>;
  const { confirmed, submitted } = cell;
  const level = levelOf(confirmed, submitted);
  return (
    <Table.Td className={`number ${css.cell} ${levelClass(level)}`}>
      {level === undefined ? 'too few' : formatRate(confirmed, submitted)}{' '}
      <span className={css.volume}>of {formatCount(submitted)}</span>
    </Table.Td>
  );
}
