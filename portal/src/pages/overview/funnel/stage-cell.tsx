import { Table, Text } from '@mantine/core';
import { formatCount, formatRate } from '../../../format/number.ts';

interface StageCellProps {
  /** In a table whose rows become cards. */
  readonly label?: string;
  readonly count: number | null;
  readonly of: number;
}

/** A count and its share. */
export function StageCell({ label, count, of }: StageCellProps) {
  return (
    <Table.Td className="number" data-label={label}>
      {count === null ? (
        <Text component="span" size="sm" c="dimmed">
          no receipts
        </Text>
      ) : (
        <>
          {formatCount(count)}
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
