import { Badge, Table, Text } from '@mantine/core';
import type { CarrierHealth } from '#contract/overview.ts';
import type { RoutingView } from '#contract/routing.ts';
import { identifierWords } from '../../format/identifier.ts';
import { formatCount } from '../../format/number.ts';
import { useAccount } from '../../frame/account.ts';
import { FigureLink } from '../../parts/figure-link.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { OpeningRow } from '../../parts/page/opening-row.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { When } from '../../parts/when.tsx';
import { listBehindLast } from '../overview/behind.ts';
import { FIGURES as BEHIND, stagesOf } from '../overview/funnel/funnel.ts';
import { StageCell } from '../overview/funnel/stage-cell.tsx';
import { stateOf } from './carrier-state.ts';
import { limitsOf, usualLimits } from './limits.ts';

export type Carrier = RoutingView['carriers'][number];

const DAY = 86_400_000;
const FIGURES = ['Attempts', 'Accepted', 'Delivered', 'Confirmed'];

interface CarrierTableProps {
  readonly carriers: readonly Carrier[];
  readonly health: CarrierHealth;
  readonly open: (carrier: Carrier) => void;
}

export function CarrierTable({ carriers, health, open }: CarrierTableProps) {
  if (carriers.every(({ type }) => type === 'simulator')) {
    return (
      <Empty title="Only the simulator">
        No message reaches a telephone yet. A carrier and a route to it are added in the configuration of the
        service. Owners of its first account find a form above, which writes the lines and checks them.
      </Empty>
    );
  }
  const usual = usualLimits(carriers);
  const hasOthers = carriers.some((carrier) => limitsOf(carrier) !== usual);
  const columns = ['Carrier', 'State', ...FIGURES, 'Last error', ...(hasOthers ? ['Limits'] : [])];
  return (
    <>
      {usual !== undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          Limits{hasOthers ? ', where nothing else is said' : ''}: {usual}.
        </Text>
      )}
      <ScrollingTable label="Carriers" columns={columns} figures={FIGURES} spacing={6} stacked sticky>
        {carriers.map((carrier) => (
          <CarrierRow
            key={carrier.name}
            carrier={carrier}
            health={health.find(({ name }) => name === carrier.name)}
            limits={hasOthers ? (limitsOf(carrier) === usual ? '' : limitsOf(carrier)) : undefined}
            open={() => open(carrier)}
          />
        ))}
      </ScrollingTable>
    </>
  );
}

interface CarrierRowProps {
  readonly carrier: Carrier;
  readonly health: CarrierHealth[number] | undefined;
  /** Empty if they are the usual ones; undefined if all carriers have those. */
  readonly limits: string | undefined;
  readonly open: () => void;
}

function CarrierRow({ carrier, health, limits, open }: CarrierRowProps) {
  const { name, type, last_day } = carrier;
  const behind = listBehindLast(useAccount().id, DAY, { carrier: name });
  return (
    <OpeningRow
      name={name}
      marks={
        <Text component="span" size="xs" c="dimmed">
          {identifierWords(type)}
        </Text>
      }
      open={open}
    >
      <Table.Td data-label="State">
        <State of={health} ofDay={last_day.attempted} />
      </Table.Td>
      <Table.Td className="number" data-label="Attempts">
        <FigureLink to={behind('attempted')}>{formatCount(last_day.attempted)}</FigureLink>
      </Table.Td>
      {stagesOf({ ...last_day, requested: null }).map((stage) => (
        <StageCell
          key={stage.name}
          label={stage.name}
          count={stage.count}
          of={stage.of}
          to={behind(BEHIND[stage.name])}
        />
      ))}
      <Table.Td data-label="Last error">
        <LastError of={health} />
      </Table.Td>
      {limits !== undefined && <Table.Td data-label="Limits">{limits}</Table.Td>}
    </OpeningRow>
  );
}

interface OfHealth {
  readonly of: CarrierHealth[number] | undefined;
}

/** `ofDay`: the account’s attempts of the last day. */
export function State({ of, ofDay }: OfHealth & { readonly ofDay?: number | undefined }) {
  if (of === undefined) return null;
  const { label, color } = stateOf(of, ofDay);
  return (
    <Badge variant="light" color={color}>
      {label}
    </Badge>
  );
}

export function LastError({ of }: OfHealth) {
  const error = of?.installation.last_error ?? null;
  if (error === null) return 'None';
  return (
    <>
      {error.reason}, <When at={error.at} />
    </>
  );
}
