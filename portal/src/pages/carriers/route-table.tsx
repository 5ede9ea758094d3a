import { Badge, Table, Text } from '@mantine/core';
import type { CarrierHealth } from '#contract/overview.ts';
import type { RoutingView } from '#contract/routing.ts';
import { channelLabel, channelName } from '../../format/channel.ts';
import { countryNames } from '../../format/country.ts';
import { formatCount, formatDuration, formatMoney, formatRate } from '../../format/number.ts';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { State } from './carrier-table.tsx';
import css from './route-table.module.css';

type Route = RoutingView['routes'][number];
type Place = Route['carriers'][number];

const CHOICES: Readonly<Record<Route['chooses'], string>> = {
  only: 'The only one',
  order: 'In order',
  weights: 'By share',
  quality: 'The one whose codes are confirmed most often',
};

const COLUMNS = ['Route', 'Channel', 'To', 'Chosen', 'Carriers'];

interface RouteTableProps {
  readonly view: RoutingView;
  readonly health: CarrierHealth;
}

export function RouteTable({ view: { routes, carriers, currency }, health }: RouteTableProps) {
  const carrierOf = (wanted: string) => carriers.find(({ name }) => name === wanted);
  const isCapped = routes.some(({ daily_cap }) => daily_cap !== null);
  const columns = [...COLUMNS, ...(isCapped ? ['A day at most'] : [])];
  return (
    <ScrollingTable label="Routes" columns={columns} spacing={6} stacked>
      {routes.map((route) => (
        <Table.Tr key={route.position}>
          <Table.Th scope="row">{route.position}</Table.Th>
          <Table.Td data-label="Channel">{channelName(route.channel)}</Table.Td>
          <Table.Td data-label="To">{placesOf(route)}</Table.Td>
          <Table.Td data-label="Chosen">{CHOICES[route.chooses]}</Table.Td>
          <Table.Td data-label="Carriers" className="wide">
            <ol className={css.places}>
              {route.carriers.map((place) => (
                <li key={place.name}>
                  {describe(place, carrierOf(place.name)?.daily_cap ?? null, currency)}{' '}
                  <State
                    of={health.find(({ name }) => name === place.name)}
                    ofDay={carrierOf(place.name)?.last_day.attempted}
                  />
                </li>
              ))}
            </ol>
            {route.legs.map((leg) => (
              <Text key={leg.channel} size="sm">
                {describeLeg(leg)}
              </Text>
            ))}
            {route.simulated && (
              <Badge variant="light" color="yellow">
                Reaches no telephone
              </Badge>
            )}
          </Table.Td>
          {isCapped && (
            <Table.Td data-label="A day at most">
              {route.daily_cap === null ? 'No cap' : formatCount(route.daily_cap)}
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </ScrollingTable>
  );
}

/** By which channel a message goes on. */
export function describeLeg({ channel, after_ms, carriers }: Route['legs'][number]): string {
  const when =
    after_ms === null ? 'if that fails' : `if that has not delivered within ${formatDuration(after_ms)}`;
  const by = carriers.length === 0 ? 'its own route' : carriers.join(', ');
  return `Then ${channelLabel(channel)} by ${by}, ${when}`;
}

function placesOf({ countries, prefixes }: Route): string {
  const named = [...countryNames(countries), ...prefixes.map((prefix) => `${prefix}…`)];
  return named.length === 0 ? 'Everywhere' : named.join(', ');
}

function describe(
  { name, share, lowest_price, highest_price }: Place,
  cap: number | null,
  currency: string,
): string {
  const prices = [...new Set([lowest_price, highest_price])].filter((price) => price !== null);
  return [
    name,
    ...(share === null ? [] : [formatRate(share, 1)]),
    prices.length === 0 ? 'no price' : prices.map((price) => formatMoney(price, currency)).join(' to '),
    ...(cap === null ? [] : [`${formatCount(cap)} a day`]),
  ].join(', ');
}
