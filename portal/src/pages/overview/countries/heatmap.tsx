import { Table } from '@mantine/core';
import type { OverviewParts } from '#contract/overview.ts';
import { countryName } from '../../../format/country.ts';
import { formatCount, formatRate } from '../../../format/number.ts';
import { FigureLink } from '../../../parts/figure-link.tsx';
import { LongTable } from '../../../parts/page/long-table.tsx';
import { Section } from '../../../parts/page/page.tsx';
import type { Behind } from '../behind.ts';
import { MEANS } from '../words.ts';
import { LevelLegend, levelClass } from './legend.tsx';
import { levelOf } from './level.ts';
import css from './levels.module.css';

const TITLE = 'Countries and carriers';

/** How well each carrier's messages are confirmed in each country: a table, with a colour for each share. */
export function Heatmap({
  parts: { cells, countries, carriers },
  behind,
}: {
  readonly parts: OverviewParts;
  readonly behind: Behind;
}) {
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
      <LongTable label={TITLE} columns={['Country', ...columns]} figures={columns} rows={rows} of="countries">
        {({ name: country }) => (
          <Table.Tr key={country}>
            <Table.Th scope="row">{countryName(country)}</Table.Th>
            {columns.map((carrier) => (
              <Cell
                key={carrier}
                cell={cells.find((each) => each.country === country && each.carrier === carrier)}
                to={behind('accepted', { country, carrier })}
              />
            ))}
          </Table.Tr>
        )}
      </LongTable>
      <LevelLegend />
    </Section>
  );
}

interface CellProps {
  readonly cell: OverviewParts['cells'][number] | undefined;
  /** The list of what was accepted. */
  readonly to: string;
}

function Cell({ cell, to }: CellProps) {
  if (cell === undefined) return <Table.Td className="number">–</Table.Td>;
  const { confirmed, submitted } = cell;
  const level = levelOf(confirmed, submitted);
  return (
    <Table.Td className={`number ${css.cell} ${levelClass(level)}`}>
      {level === undefined ? 'too few' : formatRate(confirmed, submitted)}{' '}
      <span className={css.volume}>
        of <FigureLink to={to}>{formatCount(submitted)}</FigureLink>
      </span>
    </Table.Td>
  );
}
