import { Code, Table } from '@mantine/core';
import { useState } from 'react';
import { useAct, useAsk } from '../../api/hooks.ts';
import { Answer } from '../../parts/answer.tsx';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { When } from '../../parts/when.tsx';

const COLUMNS = ['Range', 'Added'];

export function RangeTable({ mayChange }: { readonly mayChange: boolean }) {
  const ranges = useAsk('GET accounts/:account/do-not-send/ranges', {});
  const remove = useAct('DELETE accounts/:account/do-not-send/ranges/:prefix');
  const [leaving, setLeaving] = useState<string>();
  return (
    <Answer of={ranges} lines={2}>
      {(all) =>
        all.length === 0 ? (
          <Empty title="No ranges">
            A range such as +88213 stops all numbers that begin with it: for satellite telephones, or a block
            that only bots ask for.
          </Empty>
        ) : (
          <div>
            <ScrollingTable label="Ranges" columns={mayChange ? [...COLUMNS, 'Change'] : COLUMNS} stacked>
              {all.map(({ prefix, added_at }) => (
                <Table.Tr key={prefix}>
                  <Table.Th scope="row">
                    <Code>{prefix}…</Code>
                  </Table.Th>
                  <Table.Td data-label="Added">
                    <When at={added_at} />
                  </Table.Td>
                  {mayChange && (
                    <Table.Td>
                      <RowButton name={`Remove ${prefix}`} onClick={() => setLeaving(prefix)}>
                        Remove
                      </RowButton>
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </ScrollingTable>
            {leaving !== undefined && (
              <Confirm
                title={`Remove the range ${leaving}`}
                label="Remove"
                onClose={() => setLeaving(undefined)}
                act={() => remove.mutateAsync({ params: { prefix: leaving.slice(1) } })}
                done="Codes are sent to this range again"
              >
                Codes are sent to all numbers that begin with {leaving} again.
              </Confirm>
            )}
          </div>
        )
      }
    </Answer>
  );
}
