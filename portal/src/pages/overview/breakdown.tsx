import { Button, Group, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { OverviewParts } from '#contract/overview.ts';
import { CHANNEL_NAMES, channelName } from '../../format/channel.ts';
import { countryName } from '../../format/country.ts';
import {
  formatChange,
  formatCount,
  formatLatency,
  formatMoney,
  formatSum,
  NONE,
} from '../../format/number.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { FigureLink } from '../../parts/figure-link.tsx';
import { Section } from '../../parts/page/page.tsx';
import type { Column } from '../../parts/page/sort.ts';
import { SortableTable } from '../../parts/page/sortable-table.tsx';
import type { Behind } from './behind.ts';
import css from './breakdown.module.css';
import { beginOf, costOfEach, FIGURES, stagesOf } from './funnel/funnel.ts';
import { StageCell } from './funnel/stage-cell.tsx';
import type { Changes } from './query.ts';
import { MEANS } from './words.ts';

const DIMENSIONS = {
  country: { title: 'By country', tab: 'Country', list: 'countries' },
  carrier: { title: 'By carrier', tab: 'Carrier', list: 'carriers' },
  key: { title: 'By key', tab: 'Key', list: 'keys' },
  channel: { title: 'By channel', tab: 'Channel', list: 'channels' },
} as const;
type Dimension = keyof typeof DIMENSIONS;
const isDimension = (name: string): name is Dimension => Object.hasOwn(DIMENSIONS, name);

type Part = OverviewParts['countries'][number];
/** Against the period before, what the part's funnel begins with: undefined where that is not known. */
type Row = Part & { readonly change: Changes['countries'][number] | undefined };

interface BreakdownProps {
  readonly of: OverviewParts;
  readonly changes: Changes | undefined;
  readonly currency: string;
  readonly search: URLSearchParams;
  readonly change: (changes: Readonly<Record<string, string | null>>) => void;
  readonly behind: Behind;
}

/** The funnel by one dimension at a time; each name is a filter for the whole page, and each figure leads to its codes. */
export function Breakdown({ of, changes, currency, search, change, behind }: BreakdownProps) {
  const asked = search.get('by') ?? '';
  const dimension = isDimension(asked) ? asked : 'country';
  const { title, list } = DIMENSIONS[dimension];
  const rows: Row[] = of[list].map((part) => ({
    ...part,
    change: changes?.[list].find(({ name }) => name === part.name),
  }));
  const begin = rows[0] === undefined ? 'Requested' : beginOf(rows[0].funnel).name;
  const picked = search.get(dimension);
  const account = useAccount();
  const isOwner = useMay('owner');
  return (
    <Section
      title={title}
      explain={MEANS[title]}
      actions={
        <Group gap="xs">
          {isOwner && dimension === 'country' && picked !== null && (
            <Button
              component={Link}
              size="xs"
              variant="default"
              href={`/accounts/${account.id}/countries?change=${picked}`}
            >
              Stop sending here…
            </Button>
          )}
          <Button.Group aria-label="Break down by">
            {Object.entries(DIMENSIONS).map(([name, { tab }]) => (
              <Button
                key={name}
                size="xs"
                variant={name === dimension ? 'light' : 'default'}
                aria-pressed={name === dimension}
                onClick={() => change({ by: name === 'country' ? null : name })}
              >
                {tab}
              </Button>
            ))}
          </Button.Group>
        </Group>
      }
    >
      <SortableTable
        label={title}
        columns={columnsOf(begin, dimension)}
        rows={rows}
        of={list}
        sort={search.get('sort')}
        sortBy={(sort) => change({ sort })}
      >
        {({ name, label, funnel, confirmed_ms, change: changed }) => {
          const place = { [dimension]: name };
          const first = funnel.requested === null ? 'attempted' : 'requested';
          return (
            <Table.Tr key={name}>
              <Table.Th scope="row">
                <Button
                  size="compact-sm"
                  classNames={{ root: css.pick, label: css.name }}
                  variant={picked === name ? 'filled' : 'subtle'}
                  aria-pressed={picked === name}
                  onClick={() => change({ [dimension]: picked === name ? null : name })}
                >
                  {nameOf(dimension, name, label)}
                </Button>
              </Table.Th>
              <Table.Td className="number">
                <FigureLink to={behind(first, place)}>{formatCount(beginOf(funnel).count)}</FigureLink>
              </Table.Td>
              <Table.Td className="number">
                <Text component="span" size="xs" c="dimmed">
                  {changeOf(changed)}
                </Text>
              </Table.Td>
              {stagesOf(funnel).map((stage) => (
                <StageCell
                  key={stage.name}
                  count={stage.count}
                  of={stage.of}
                  to={behind(FIGURES[stage.name], place)}
                />
              ))}
              <Table.Td className="number">{formatLatency(confirmed_ms.p50)}</Table.Td>
              <Table.Td className="number">{formatSum(funnel.cost, currency)}</Table.Td>
              <Table.Td className="number">{formatMoney(costOfEach(funnel), currency)}</Table.Td>
            </Table.Tr>
          );
        }}
      </SortableTable>
    </Section>
  );
}

function columnsOf(begin: 'Requested' | 'Attempts', dimension: Dimension): Column<Row>[] {
  /** By the share, because the counts follow those of the requests. */
  const share =
    (stage: 0 | 1 | 2) =>
    ({ funnel }: Row) => {
      const { count, of } = stagesOf(funnel)[stage];
      return count === null || of === 0 ? null : count / of;
    };
  return [
    { name: 'Name', by: ({ name, label }) => nameOf(dimension, name, label) },
    { name: begin, figure: true, by: ({ funnel }) => beginOf(funnel).count },
    {
      name: 'Change',
      figure: true,
      by: ({ change }) => (change === undefined || change.before === 0 ? null : change.now / change.before),
    },
    { name: 'Accepted', figure: true, by: share(0) },
    { name: 'Delivered', figure: true, by: share(1) },
    { name: 'Confirmed', figure: true, by: share(2) },
    { name: 'Median', figure: true, by: ({ confirmed_ms }) => confirmed_ms.p50 },
    { name: 'Cost', figure: true, by: ({ funnel }) => funnel.cost },
    { name: 'Cost per confirmation', figure: true, by: ({ funnel }) => costOfEach(funnel) },
  ];
}

function changeOf(change: Row['change']): string {
  if (change === undefined) return NONE;
  return formatChange(change.now, change.before) ?? (change.now > 0 ? 'new' : NONE);
}

function nameOf(dimension: Dimension, name: string, label: string): string {
  if (dimension === 'country') return countryName(name);
  const channel = dimension === 'channel' && CHANNEL_NAMES.find((each) => each === name);
  return channel ? channelName(channel) : label;
}
