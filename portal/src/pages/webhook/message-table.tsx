import { Badge, Button, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Message, WebhookView } from '#contract/webhooks.ts';
import { call } from '../../api/call.ts';
import { formatInstant } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { OlderButton } from '../../parts/older-button.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { OpeningRow } from '../../parts/page/opening-row.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { When } from '../../parts/when.tsx';
import { EventName } from '../webhooks/event-name.tsx';
import { MESSAGE_STATES, triesWords } from '../webhooks/words.ts';
import { MessageDialog } from './message-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

const COLUMNS = ['Event', 'When', 'State'];
const EVERY_MS = 3_000;

interface MessageTableProps {
  readonly webhook: WebhookView;
  readonly mayChange: boolean;
}

export function MessageTable({ webhook, mayChange }: MessageTableProps) {
  const account = useAccount();
  const [shown, setShown] = useState<string>();
  const [isReplaying, setReplaying] = useState(false);
  const params = { id: webhook.id };
  const list = useInfiniteQuery({
    queryKey: ['webhook-messages', account.id, webhook.id],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET accounts/:account/webhooks/:id/messages',
        account.id,
        { params, query: pageParam === '' ? {} : { before: pageParam } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap(({ messages }) => messages),
    refetchInterval: EVERY_MS,
  });
  return (
    <Answer of={list}>
      {(messages) =>
        messages.length === 0 ? (
          <Empty title="No messages">Send a test, and see it arrive.</Empty>
        ) : (
          <div>
            <ScrollingTable label="Messages" columns={COLUMNS} spacing={6} stacked sticky>
              {messages.map((message) => (
                <Row key={message.id} message={message} open={() => setShown(message.id)} />
              ))}
            </ScrollingTable>
            <OlderButton list={list}>Older messages</OlderButton>
            {mayChange && webhook.state !== 'disabled' && (
              <Button mt="md" variant="default" onClick={() => setReplaying(true)}>
                Send many again…
              </Button>
            )}
            {isReplaying && <ReplayDialog webhook={webhook} onClose={() => setReplaying(false)} />}
            {shown !== undefined && (
              <MessageDialog
                webhook={webhook}
                id={shown}
                mayChange={mayChange}
                onClose={() => setShown(undefined)}
              />
            )}
          </div>
        )
      }
    </Answer>
  );
}

function Row({ message, open }: { readonly message: Message; readonly open: () => void }) {
  const { label, color } = MESSAGE_STATES[message.state];
  return (
    <OpeningRow
      name={
        <>
          <EventName type={message.type} />
          <span className="quiet"> of {formatInstant(message.at)}</span>
        </>
      }
      open={open}
    >
      <Table.Td data-label="When">{formatInstant(message.at)}</Table.Td>
      <Table.Td data-label="State">
        <Badge variant="light" color={color}>
          {label}
        </Badge>{' '}
        <Text component="span" size="xs" c="dimmed">
          {triesWords(message)}
          {message.next_try_at !== null && (
            <>
              ; next try <When at={message.next_try_at} />
            </>
          )}
        </Text>
      </Table.Td>
    </OpeningRow>
  );
}
