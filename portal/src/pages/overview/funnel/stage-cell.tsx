import { Table, Text } from '@mantine/core';
import { formatCount, formatRate } from '../../../format/number.ts';
import { FigureLink } from '../../../parts/figure-link.tsx';

interface StageCellProps {
  /** In a table whose rows become cards. */
  readonly label?: string;
  readonly count: number | null;
  readonly of: number;
  /** The list of what it counts. */
  readonly to?: string;
}

/** A count and its share. */
export function StageCell({ label, count, of, to }: StageCellProps) {
  return (
    <Table.Td className="number" data-label={label}>
      {count === null ? (
        <Text component="span" size="sm" c="dimmed">
          no receipts
        </Text>
      ) : (
        <>
          <FigureLink to={to}>{formatCount(count)}</FigureLink>
          {of >= count && of > 0 && (
            <Text component="span" size="xs" c="dimmed">
              {' '}
              {formatRate(count, of)}
            </Text>
          )}
        </>
      )}
    </Table.Td>
  );
}
