import { Anchor, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { AlertView } from '#contract/alerts.ts';
import { call } from '../../api/call.ts';
import { formatMinute } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { OlderButton } from '../../parts/older-button.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Section } from '../../parts/page/page.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { HERE, toldWords } from './words.ts';

/** Slower than what fires: what is over does not change. */
const EVERY_MS = 60_000;

export function HistorySection() {
  const history = useHistory();
  return (
    <Section title="The last 90 days" about="What fired and is over.">
      <Answer of={history}>
        {(alerts) =>
          alerts.length === 0 ? (
            <Empty title="Nothing fired">What is over is kept here for 90 days.</Empty>
          ) : (
            <>
              <HistoryTable alerts={alerts} />
              <OlderButton list={history}>Show older alerts</OlderButton>
            </>
          )
        }
      </Answer>
    </Section>
  );
}

function useHistory() {
  const account = useAccount();
  return useInfiniteQuery({
    queryKey: ['alert history', account.id],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === '' ? {} : { before: pageParam };
      return call('GET accounts/:account/alerts/history', account.id, { query }, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    refetchInterval: EVERY_MS,
    select: ({ pages }) => pages.flatMap(({ alerts }) => alerts),
  });
}

function HistoryTable({ alerts }: { readonly alerts: readonly AlertView[] }) {
  const { id } = useAccount();
  return (
    <ScrollingTable label="The last 90 days" columns={['What', 'From', 'Until', 'Told']} spacing={6} stacked>
      {alerts.map((alert) => (
        <Table.Tr key={alert.id}>
          <Table.Th scope="row">
            {alert.place === HERE ? (
              alert.title
            ) : (
              <Anchor component={Link} href={`/accounts/${id}/${alert.place}`} underline="always">
                {alert.title}
              </Anchor>
            )}
            <Text size="xs" c="dimmed">
              {alert.detail}
            </Text>
          </Table.Th>
          <Table.Td data-label="From">{formatMinute(alert.firing_since)}</Table.Td>
          <Table.Td data-label="Until">{alert.over_at === null ? '' : formatMinute(alert.over_at)}</Table.Td>
          <Table.Td data-label="Told">{toldWords(alert.told)}</Table.Td>
        </Table.Tr>
      ))}
    </ScrollingTable>
  );
}
