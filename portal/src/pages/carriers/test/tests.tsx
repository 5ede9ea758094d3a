import { Anchor, Badge, Group, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CarrierTestView } from '#contract/carrier-tests.ts';
import { useAsk } from '../../../api/hooks.ts';
import { channelName } from '../../../format/channel.ts';
import { useAccount, useMay } from '../../../frame/account.ts';
import { Answer } from '../../../parts/answer.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { Section } from '../../../parts/page/page.tsx';
import { ScrollingTable } from '../../../parts/page/scroller.tsx';
import { When } from '../../../parts/when.tsx';
import { TimelineList } from '../../verification/timeline-list.tsx';
import { awaited, eventsOf, STATES } from './events.ts';

const SOON_MS = 1_000;
const LATER_MS = 10_000;
/** Carriers that send no receipts are not asked about every second for as long as somebody looks. */
const LIVE_MS = 10 * 60_000;

export function CarrierTests() {
  const mayTest = useMay('owner');
  const [isLive, setLive] = useState(false);
  const tests = useAsk('GET accounts/:account/carriers/tests', {}, { every: isLive ? SOON_MS : LATER_MS });
  const awaits = tests.data?.some(isAwaited) ?? false;
  if (awaits !== isLive) setLive(awaits);
  return (
    <Section
      title="Tests"
      about="One real message over one carrier, and what becomes of it. Tests count in the cost, and in no other figure."
    >
      <Answer of={tests}>
        {([newest, ...earlier]) =>
          newest === undefined ? (
            <Empty title="No tests yet">
              {mayTest
                ? 'Before your codes depend on a carrier, send yourself a message over it.'
                : 'An owner of this account can send a message over one carrier, and see what becomes of it.'}
            </Empty>
          ) : (
            <Stack>
              <Newest test={newest} />
              {earlier.length > 0 && <Earlier tests={earlier} />}
            </Stack>
          )
        }
      </Answer>
    </Section>
  );
}

const isAwaited = (test: CarrierTestView): boolean =>
  awaited(test) !== undefined && Date.now() - Date.parse(test.asked_at) < LIVE_MS;

function Newest({ test }: { readonly test: CarrierTestView }) {
  const waitsFor = awaited(test);
  return (
    <Stack role="status" aria-label="The newest test">
      <Group>
        <Text fw={600}>{test.carrier}</Text>
        <State of={test} />
        <Details of={test} />
      </Group>
      <TimelineList events={eventsOf(test)} />
      {waitsFor !== undefined && (
        <Text size="sm" c="dimmed">
          {waitsFor}
        </Text>
      )}
    </Stack>
  );
}

function Earlier({ tests }: { readonly tests: readonly CarrierTestView[] }) {
  return (
    <ScrollingTable label="Earlier tests" columns={['Carrier', 'Sent', 'To', 'Result', 'Details']} stacked>
      {tests.map((test) => (
        <Table.Tr key={test.id}>
          <Table.Th scope="row">{test.carrier}</Table.Th>
          <Table.Td data-label="Sent">
            <When at={test.asked_at} />
          </Table.Td>
          <Table.Td data-label="To">
            {test.number}, {channelName(test.channel)}
          </Table.Td>
          <Table.Td data-label="Result">
            <State of={test} />
          </Table.Td>
          <Table.Td data-label="Details">
            <Details of={test} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ScrollingTable>
  );
}

function State({ of }: { readonly of: CarrierTestView }) {
  const { label, color } = STATES[of.state];
  return (
    <Badge variant="light" color={color}>
      {label}
    </Badge>
  );
}

function Details({ of }: { readonly of: CarrierTestView }) {
  const account = useAccount();
  return (
    <Anchor
      size="sm"
      component={Link}
      href={`/accounts/${account.id}/verifications/${of.id}`}
      aria-label={`The message to ${of.number}`}
    >
      The message
    </Anchor>
  );
}
