import { Button, Code, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { formatInstant } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { Scroller } from '../../parts/scroller.tsx';

export default function Audit() {
  const account = useAccount();
  const log = useInfiniteQuery({
    queryKey: ['audit', account.id],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET accounts/:account/audit',
        account.id,
        { query: pageParam === '' ? {} : { before: pageParam } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  });
  return (
    <Page
      title="Audit log"
      about="Every change to keys, people and settings, and every full number that was shown: who, when, from where."
    >
      <Answer of={log}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="Nothing has been changed yet">
              The first key, member or setting will show here.
            </Empty>
          ) : (
            <div>
              <Scroller label="Audit log" stacked>
                <Table verticalSpacing="xs" aria-label="Audit log">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>When</Table.Th>
                      <Table.Th>Who</Table.Th>
                      <Table.Th>What</Table.Th>
                      <Table.Th>To what</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {entries.map((entry) => (
                      <Table.Tr key={entry.id}>
                        <Table.Td data-label="When">{formatInstant(entry.at)}</Table.Td>
                        <Table.Td data-label="Who">
                          {entry.who}
                          <Text size="xs" c="dimmed">
                            {entry.address ?? ''}
                          </Text>
                        </Table.Td>
                        <Table.Td data-label="What">
                          <Code>{entry.action}</Code>
                        </Table.Td>
                        <Table.Td data-label="To what">
                          {entry.subject}
                          <Text size="xs" c="dimmed">
                            {entry.detail}
                          </Text>
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Scroller>
              {log.hasNextPage && (
                <Button
                  mt="md"
                  variant="default"
                  loading={log.isFetchingNextPage}
                  onClick={() => log.fetchNextPage()}
                >
                  Older entries
                </Button>
              )}
            </div>
          )
        }
      </Answer>
    </Page>
  );
}
