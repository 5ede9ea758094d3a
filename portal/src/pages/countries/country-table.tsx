import { Table, Text } from '@mantine/core';
import { formatCount, formatMoney, formatRate } from '../../format/number.ts';
import { formatMinute } from '../../format/time.ts';
import { FigureLink } from '../../parts/figure-link.tsx';
import { LongTable } from '../../parts/page/long-table.tsx';
import type { Behind } from '../overview/behind.ts';
import type { CountryRow } from './rows.ts';
import css from './switch.module.css';

const COLUMNS = ['Country', 'Sends', 'Price', 'Names as senders', 'Codes', 'Confirmed'];

interface CountryTableProps {
  readonly rows: readonly CountryRow[];
  readonly currency: string;
  /** What a country asks of names as senders, in a line. */
  readonly asked: ReadonlyMap<string, string>;
  readonly behind: Behind;
  readonly mayChange: boolean;
  readonly change: (row: CountryRow) => void;
}

export function CountryTable({ rows, currency, asked, behind, mayChange, change }: CountryTableProps) {
  return (
    <LongTable
      label="Countries"
      columns={COLUMNS}
      figures={['Price', 'Codes', 'Confirmed']}
      rows={rows}
      of="countries"
    >
      {(row) => (
        <Table.Tr key={row.country}>
          <Table.Th scope="row">{row.name}</Table.Th>
          <Table.Td>
            <input
              type="checkbox"
              role="switch"
              className={css.switch}
              aria-label={`Send to ${row.name}`}
              checked={row.sending.kind === 'on'}
              aria-checked={row.sending.kind === 'on'}
              disabled={!mayChange || row.sending.kind === 'service'}
              onChange={() => change(row)}
            />
            <Text size="xs" c="dimmed">
              <WhyOff sending={row.sending} />
            </Text>
          </Table.Td>
          <Table.Td className="number">{priceOf(row, currency)}</Table.Td>
          <Table.Td>
            <Text size="xs">{asked.get(row.country) ?? 'Nothing known.'}</Text>
          </Table.Td>
          <Table.Td className="number">
            <FigureLink to={behind('requested', { country: row.country })}>
              {formatCount(row.codes)}
            </FigureLink>
          </Table.Td>
          <Table.Td className="number">
            <FigureLink to={behind('confirmed', { country: row.country })}>
              {formatRate(row.confirmed.count, row.confirmed.of)}
            </FigureLink>
          </Table.Td>
        </Table.Tr>
      )}
    </LongTable>
  );
}

function WhyOff({ sending }: Pick<CountryRow, 'sending'>) {
  switch (sending.kind) {
    case 'on':
      return null;
    case 'not-chosen':
      return 'Not among the countries in Settings.';
    case 'service':
      return sending.why;
    case 'stopped':
      return sending.stops
        .map(
          ({ reason, ends_at }) => `${reason}${ends_at === null ? '' : `, until ${formatMinute(ends_at)}`}`,
        )
        .join('; ');
  }
}

function priceOf({ lowest_price, highest_price }: CountryRow, currency: string): string {
  if (lowest_price === null || highest_price === null) return 'unknown';
  const lowest = formatMoney(lowest_price, currency);
  return lowest_price === highest_price ? lowest : `${lowest} to ${formatMoney(highest_price, currency)}`;
}
