import { Badge, Blockquote, Stack, Table, Text } from '@mantine/core';
import type { RouteAnswer } from '#contract/routing.ts';
import { type Channel, channelLabel, isSpoken } from '../../format/channel.ts';
import { countryName } from '../../format/country.ts';
import { languageName } from '../../format/language.ts';
import { formatCount, formatMoney } from '../../format/number.ts';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { TROUBLES } from './carrier-state.ts';
import { describeLeg } from './route-table.tsx';

type Check = RouteAnswer['checks'][number];
type Plan = NonNullable<RouteAnswer['plan']>;

const NAMES: Readonly<Record<Check['name'], string>> = {
  request: 'Number and route',
  'do-not-send': 'Do not send',
  limits: 'Limits',
  guard: 'Guard',
  budgets: 'Budgets',
  'look-ups': 'Look-ups',
};
const VERDICTS = {
  passes: { label: 'Passes', color: 'green' },
  refuses: { label: 'Refused', color: 'red' },
  unsure: { label: 'May be refused', color: 'yellow' },
} as const;

export function Explained({ answer }: { readonly answer: RouteAnswer }) {
  const { number, country, channel, checks, plan } = answer;
  const place = country === null ? '' : `, ${countryName(country)}`;
  return (
    <Stack role="status" aria-label="What would happen">
      <Text fw={600}>
        {number}
        {place}, by {channelLabel(channel)}: {outcomeOf(answer)}
      </Text>
      <ScrollingTable label="Checks" columns={['Check', 'Result', 'Why']} stacked>
        {checks.map(({ name, verdict, detail }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{NAMES[name]}</Table.Th>
            <Table.Td data-label="Result">
              <Badge variant="light" color={VERDICTS[verdict].color}>
                {VERDICTS[verdict].label}
              </Badge>
            </Table.Td>
            <Table.Td data-label="Why">{detail}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollingTable>
      {plan !== null && <PlanView channel={channel} plan={plan} />}
    </Stack>
  );
}

function outcomeOf({ checks, plan }: RouteAnswer): string {
  if (checks.some(({ verdict }) => verdict === 'refuses')) return 'it would be refused.';
  if (checks.some(({ verdict }) => verdict === 'unsure')) return 'it may be refused.';
  const carriers = plan?.carriers ?? [];
  const isStuck = carriers.length > 0 && carriers.every(({ trouble }) => trouble !== null);
  return isStuck ? 'it would wait, because no carrier of its route takes messages.' : 'it would be sent.';
}

function sizeOf({ characters, encoding, segments }: NonNullable<Plan['text']>): string {
  const size = `${formatCount(characters)} characters`;
  if (segments === null) return size;
  return `${size} in ${encoding}, ${formatCount(segments)} ${segments === 1 ? 'segment' : 'segments'}`;
}

function TextView({ channel, text }: Pick<Plan, 'text'> & { readonly channel: Channel }) {
  if (text === null)
    return <Text size="sm">Nothing is said: the code is the end of the number that calls.</Text>;
  return (
    <>
      <Blockquote p="sm" lang={text.language}>
        {text.sample}
      </Blockquote>
      <Text size="sm" c="dimmed">
        In {languageName(text.language)}, {isSpoken(channel) ? 'spoken' : sizeOf(text)}.
      </Text>
    </>
  );
}

function PlanView({ channel, plan }: { readonly channel: Channel; readonly plan: Plan }) {
  const { route, not_taken, text, currency, carriers, legs } = plan;
  return (
    <>
      <Text size="sm">
        Route {route} takes it.{' '}
        {not_taken.map(
          ({ position, serves_another }) => `Route ${position} serves another ${serves_another}. `,
        )}
      </Text>
      <TextView channel={channel} text={text} />
      <ScrollingTable
        label="Carriers in order"
        columns={['Carrier', 'State', 'Daily cap', 'Price', 'Why']}
        stacked
      >
        {carriers.map((carrier) => (
          <Table.Tr key={carrier.name}>
            <Table.Th scope="row">{carrier.name}</Table.Th>
            <Table.Td data-label="State">{stateOf(carrier)}</Table.Td>
            <Table.Td data-label="Daily cap">{capOf(carrier)}</Table.Td>
            <Table.Td data-label="Price">
              {carrier.price === null ? 'Unknown' : formatMoney(carrier.price, currency)}
            </Table.Td>
            <Table.Td data-label="Why">{carrier.why ?? 'The only one'}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollingTable>
      {legs.map((leg) => (
        <Text key={leg.channel} size="sm">
          {describeLeg(leg)}
        </Text>
      ))}
    </>
  );
}

const STATES = {
  closed: 'Works',
  'half-open': 'Is tried',
  open: 'Set aside',
  unknown: 'Not seen yet',
} as const;
const SPEECH: Readonly<Record<string, string>> = {
  'in-english': 'speaks English instead',
  'not-at-all': 'has no voice for the language',
};

function stateOf({ breaker, trouble, last_error, speech }: Plan['carriers'][number]): string {
  const spoken = speech === null ? undefined : SPEECH[speech];
  if (trouble === null) {
    const before = last_error === null ? undefined : `last error: ${last_error}`;
    return [STATES[breaker], before, spoken].filter((part) => part !== undefined).join(', ');
  }
  // The label says so already.
  const why = last_error?.replace(/^(no link|account or settings): /, '');
  return [TROUBLES[trouble], why, spoken].filter((part) => part !== undefined).join(', ');
}

function capOf({ daily_cap, cap_reached }: Plan['carriers'][number]): string {
  if (daily_cap === null) return 'None';
  return cap_reached ? `${formatCount(daily_cap)}, reached` : formatCount(daily_cap);
}
