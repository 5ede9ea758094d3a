import { Code, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { formatInstant } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { OlderButton } from '../../parts/older-button.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page } from '../../parts/page/page.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';

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
      about="Every change to keys, people, settings and the do-not-send list, every full number that was shown, and every data request that was answered: who did it, when and from where."
    >
      <Answer of={log}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No changes yet">Changes to keys, people and settings will appear here.</Empty>
          ) : (
            <div>
              <ScrollingTable label="Audit log" columns={['When', 'Who', 'What', 'To what']} stacked>
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
              </ScrollingTable>
              <OlderButton list={log}>Older entries</OlderButton>
            </div>
          )
        }
      </Answer>
    </Page>
  );
}
