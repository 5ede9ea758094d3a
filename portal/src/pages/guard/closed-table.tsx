import { Table } from '@mantine/core';
import type { GuardView } from '#contract/guard.ts';
import { placeWords } from '../../format/guard.ts';
import { formatCount } from '../../format/number.ts';
import { LongTable } from '../../parts/page/long-table.tsx';
import { When } from '../../parts/when.tsx';

const FIGURES = ['Sent', 'Confirmed', 'Tries that failed'];

export function ClosedTable({ closed }: Pick<GuardView, 'closed'>) {
  return (
    <LongTable
      label="Closed"
      columns={['Where', ...FIGURES, 'Next try']}
      figures={FIGURES}
      rows={closed}
      of="places"
      stacked
    >
      {({ place, sent, confirmed, probes, next_probe_at }) => (
        <Table.Tr key={place.name}>
          <Table.Th scope="row">{placeWords(place)}</Table.Th>
          {[sent, confirmed, probes].map((figure, index) => (
            <Table.Td key={FIGURES[index]} data-label={FIGURES[index]} className="number">
              {formatCount(Math.round(figure))}
            </Table.Td>
          ))}
          <Table.Td data-label="Next try">
            {isPast(next_probe_at) ? 'with the next request' : <When at={next_probe_at} />}
          </Table.Td>
        </Table.Tr>
      )}
    </LongTable>
  );
}

const isPast = (at: string | null): boolean => at !== null && Date.parse(at) <= Date.now();
