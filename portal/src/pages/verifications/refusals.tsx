import { Badge, Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { channelName } from '../../format/channel.ts';
import { formatInstant } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { OlderButton } from '../../parts/older-button.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import type { RefusalFilters } from './query.ts';

const COLUMNS = ['Requested', 'Number', 'What happened', 'Channel', 'Key'];

/** Requests that the guard refused: they never became verifications. */
export function Refusals({ filters }: { readonly filters: RefusalFilters }) {
  const account = useAccount();
  const list = useInfiniteQuery({
    queryKey: ['refusals', account.id, filters],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === '' ? filters : { ...filters, before: pageParam };
      return call('GET accounts/:account/guard/refusals', account.id, { query }, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap(({ refusals }) => refusals),
  });
  return (
    <Answer of={list} lines={8}>
      {(refusals) =>
        refusals.length === 0 ? (
          <Empty title="Nothing was refused">No request that matches was refused by the guard.</Empty>
        ) : (
          <div>
            <ScrollingTable label="Refused by the guard" columns={COLUMNS} stacked>
              {refusals.map(({ id, at, number, channel, key, detail, enforced }) => (
                <Table.Tr key={id}>
                  <Table.Th scope="row">{formatInstant(at)}</Table.Th>
                  <Table.Td data-label="Number">{number}</Table.Td>
                  <Table.Td data-label="What happened">
                    <Badge variant="light" color={enforced ? 'red' : 'yellow'}>
                      {enforced ? 'Refused' : 'Sent, only watched'}
                    </Badge>{' '}
                    {detail}
                  </Table.Td>
                  <Table.Td data-label="Channel">{channelName(channel)}</Table.Td>
                  <Table.Td data-label="Key">{key.name}</Table.Td>
                </Table.Tr>
              ))}
            </ScrollingTable>
            <OlderButton list={list}>Show older ones</OlderButton>
          </div>
        )
      }
    </Answer>
  );
}
