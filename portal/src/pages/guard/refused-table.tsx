import { Table, Text } from '@mantine/core';
import type { GuardView } from '#contract/guard.ts';
import { placeWords, whyWords } from '../../format/guard.ts';
import { formatCount } from '../../format/number.ts';
import { LongTable } from '../../parts/page/long-table.tsx';
import { When } from '../../parts/when.tsx';

const FIGURES = ['Last hour', 'Last day'];
const COLUMNS = ['Where', 'Why', ...FIGURES, 'Last'];

export function RefusedTable({ refused, more }: Pick<GuardView, 'refused' | 'more'>) {
  return (
    <div>
      <LongTable label="Refused" columns={COLUMNS} figures={FIGURES} rows={refused} of="places" stacked>
        {({ place, rule, detail, hour, day, enforced, last_at }) => (
          <Table.Tr key={`${place.name} ${rule}`}>
            <Table.Th scope="row">{placeWords(place)}</Table.Th>
            <Table.Td data-label="Why">
              {whyWords(rule, detail)}
              {!enforced && (
                <Text size="xs" c="dimmed">
                  Only watched: it would have been refused, and was sent.
                </Text>
              )}
            </Table.Td>
            <Table.Td data-label="Last hour" className="number">
              {formatCount(hour)}
            </Table.Td>
            <Table.Td data-label="Last day" className="number">
              {formatCount(day)}
            </Table.Td>
            <Table.Td data-label="Last">
              <When at={last_at} />
            </Table.Td>
          </Table.Tr>
        )}
      </LongTable>
      {more && (
        <Text size="sm" c="dimmed" mt="xs">
          There were more: of a flood, not every request is counted here. The figures by day count all.
        </Text>
      )}
    </div>
  );
}
