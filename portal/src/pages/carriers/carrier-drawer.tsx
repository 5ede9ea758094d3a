import { Button, Group, Text } from '@mantine/core';
import type { CarrierHealth } from '#contract/overview.ts';
import type { RoutingView } from '#contract/routing.ts';
import { channelLabel } from '../../format/channel.ts';
import { identifierWords } from '../../format/identifier.ts';
import { formatCount, formatDuration, formatLatency } from '../../format/number.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Fact, Facts } from '../../parts/fact.tsx';
import { type Carrier, LastError, State } from './carrier-table.tsx';

interface CarrierDrawerProps {
  readonly carrier: Carrier;
  readonly health: CarrierHealth[number] | undefined;
  readonly routes: RoutingView['routes'];
  /** Absent for people who may not. */
  readonly onTest: (() => void) | undefined;
  readonly onClose: () => void;
}

/** All that the page knows about one carrier. */
export function CarrierDrawer({ carrier, health, routes, onTest, onClose }: CarrierDrawerProps) {
  const { name, type, channels, rate, concurrency, timeout_ms, breaker, daily_cap, last_day } = carrier;
  const named = routes.filter((route) => route.carriers.some((each) => each.name === name));
  return (
    <Dialog title={name} place="end" onClose={onClose}>
      <Group gap="xs" mb="md">
        <State of={health} ofDay={last_day.attempted} />
        <Text size="sm" c="dimmed">
          {identifierWords(type)}
        </Text>
      </Group>
      <Facts>
        <Fact name="Channels">{channels.map(channelLabel).join(', ')}</Fact>
        <Fact name="Routes">{named.map(({ position }) => position).join(', ') || 'None'}</Fact>
        <Fact name="At most">{rate ?? 'No rate is set'}</Fact>
        <Fact name="At once">{concurrency === null ? 'No limit' : formatCount(concurrency)}</Fact>
        <Fact name="A day at most">{daily_cap === null ? 'No cap' : formatCount(daily_cap)}</Fact>
        <Fact name="Time to answer">{formatLatency(timeout_ms)}</Fact>
        <Fact name="Set aside">
          after {formatCount(breaker.failures)} failures, for {formatDuration(breaker.reset_after_ms)}
        </Fact>
        <Fact name="Last error">
          <LastError of={health} />
        </Fact>
        <Fact name="Unusable receipts">
          {health?.installation.unusable_receipts || 'None'} in the last hour
        </Fact>
      </Facts>
      {onTest !== undefined && (
        <Button mt="lg" variant="default" onClick={onTest}>
          Send a test
        </Button>
      )}
    </Dialog>
  );
}
