import { Code, Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BlockedNumbers } from '#contract/do-not-send.ts';
import { call } from '../../api/call.ts';
import { useAct } from '../../api/hooks.ts';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { OlderButton } from '../../parts/older-button.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { When } from '../../parts/when.tsx';

const COLUMNS = ['Number', 'Added', 'By'];
const SOURCES = { person: 'This account', recipient: 'Its owner, with STOP' } as const;

type BlockedNumber = BlockedNumbers['numbers'][number];

export function NumberTable({ mayChange }: { readonly mayChange: boolean }) {
  const account = useAccount();
  const [leaving, setLeaving] = useState<BlockedNumber>();
  const remove = useAct('DELETE accounts/:account/do-not-send/numbers/:id');
  const list = useInfiniteQuery({
    queryKey: ['do-not-send', account.id],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET accounts/:account/do-not-send/numbers',
        account.id,
        { query: pageParam === '' ? {} : { before: pageParam } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap(({ numbers }) => numbers),
  });
  return (
    <Answer of={list}>
      {(numbers) =>
        numbers.length === 0 ? (
          <Empty title="No numbers">
            Codes are sent to every number that is not in a range below. Whoever answers a message with STOP
            gets on this list by themselves; you can add numbers as well, for example of somebody who
            complains.
          </Empty>
        ) : (
          <div>
            <ScrollingTable
              label="Numbers"
              columns={mayChange ? [...COLUMNS, 'Change'] : COLUMNS}
              spacing={4}
              stacked
              sticky
            >
              {numbers.map((entry) => (
                <Table.Tr key={entry.id}>
                  <Table.Th scope="row">
                    <Code>{entry.number}</Code>
                  </Table.Th>
                  <Table.Td data-label="Added">
                    <When at={entry.added_at} />
                  </Table.Td>
                  <Table.Td data-label="By">{SOURCES[entry.source]}</Table.Td>
                  {mayChange && (
                    <Table.Td>
                      <RowButton name={`Remove ${entry.number}`} onClick={() => setLeaving(entry)}>
                        Remove
                      </RowButton>
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </ScrollingTable>
            <OlderButton list={list}>Older entries</OlderButton>
            {leaving !== undefined && (
              <Confirm
                title={`Remove ${leaving.number}`}
                label="Remove"
                onClose={() => setLeaving(undefined)}
                act={() => remove.mutateAsync({ params: { id: leaving.id } })}
                done="Codes are sent to this number again"
              >
                Codes are sent to this number again.
                {leaving.source === 'recipient' && ' Its owner asked for the opposite, with STOP.'}
              </Confirm>
            )}
          </div>
        )
      }
    </Answer>
  );
}
