import { Anchor } from '@mantine/core';
import { Fragment } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { OverviewParts } from '#contract/overview.ts';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Later } from '../../parts/page/later.tsx';
import { Page, Pair, Section } from '../../parts/page/page.tsx';
import { type Behind, listBehind } from './behind.ts';
import { Breakdown } from './breakdown.tsx';
import { CarrierCoursesSection } from './carriers/carrier-courses.tsx';
import { CarrierHealthTable } from './carriers/carrier-health.tsx';
import { Heatmap } from './countries/heatmap.tsx';
import { MapSection } from './countries/map-section.tsx';
import { beginOf } from './funnel/funnel.ts';
import { FunnelBars } from './funnel/funnel-bars.tsx';
import { Limits } from './funnel/limits.tsx';
import { FILTERS, type OverviewInRange, useChanges, useEarlier, useOverview, useParts } from './query.ts';
import { FirstSteps } from './start/first-steps.tsx';
import { RangeBar } from './time/range-bar.tsx';
import { TimeToConfirm } from './time/time-to-confirm.tsx';
import { Traffic } from './time/traffic.tsx';

/** More carriers have no room in half of the page. */
const MOST_BESIDE = 6;

type Change = (changes: Readonly<Record<string, string | null>>) => void;

export default function OverviewPage() {
  const [search, setSearch] = useSearchParams();
  const overview = useOverview(search);
  const change: Change = (changes) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return (
    <Page title="Overview" about="What happened to the codes that were requested.">
      <FirstSteps />
      <RangeBar search={search} change={change} />
      <Answer of={overview} lines={8} tall>
        {(answer) => (
          <>
            <FirstFigures overview={answer} search={search} change={change} />
            <Later>
              <MoreFigures overview={answer} search={search} change={change} />
            </Later>
          </>
        )}
      </Answer>
      <Later>
        <CarrierHealthTable />
      </Later>
    </Page>
  );
}

interface FiguresProps {
  readonly overview: OverviewInRange;
  readonly search: URLSearchParams;
  readonly change: Change;
}

function useBehind({ from, to }: OverviewInRange, search: URLSearchParams): Behind {
  const account = useAccount();
  const given = FILTERS.flatMap((name) => {
    const value = search.get(name);
    return value ? [[name, value]] : [];
  });
  const test = search.get('test') === 'true' ? 'true' : 'false';
  return listBehind(account.id, { from, to }, { ...Object.fromEntries(given), test });
}

const isEmpty = ({ total }: OverviewInRange) => beginOf(total).count === 0;

/** What a window shows before anybody scrolls, and all that the period before is needed for. */
function FirstFigures({ overview, search, change }: FiguresProps) {
  const account = useAccount();
  const known = useEarlier(search, overview);
  const earlier = known ?? undefined;
  const behind = useBehind(overview, search);
  const ofCarrier = overview.total.requested === null;
  return (
    <>
      {isEmpty(overview) ? (
        <Empty
          title={
            ofCarrier
              ? 'This carrier had no traffic in this period'
              : 'No codes were requested in this period'
          }
        >
          Here you see how many codes were asked for, sent, delivered and confirmed, and what each
          confirmation cost. Choose a longer period, or {search.get('test') === 'true' ? 'live' : 'test'}{' '}
          traffic above, or send a code{' '}
          <Anchor component={Link} href={`/accounts/${account.id}/handset`} inherit underline="always">
            with the handset
          </Anchor>
          .
        </Empty>
      ) : (
        <Section
          title={ofCarrier ? 'From attempt to confirmation' : 'From request to confirmation'}
          // Most periods have one before, so nothing moves when it comes.
          {...(known !== null && {
            about: 'Changes are against the period before, without what is not over yet.',
          })}
        >
          <FunnelBars overview={overview} earlier={earlier} behind={behind} />
        </Section>
      )}
      <Traffic overview={overview} earlier={earlier} search={search} change={change} />
    </>
  );
}

function MoreFigures({ overview, search, change }: FiguresProps) {
  const parts = useParts(search);
  const changes = useChanges(search, overview);
  const behind = useBehind(overview, search);
  const empty = isEmpty(overview);
  return (
    <>
      {!empty && (
        <>
          <Answer of={parts} lines={8}>
            {(found) => (
              <Breakdown
                of={found}
                changes={changes}
                currency={overview.currency}
                search={search}
                change={change}
                behind={behind}
              />
            )}
          </Answer>
          <CarrierCoursesSection search={search} />
        </>
      )}
      <Answer of={parts} lines={8}>
        {(found) => (
          <>
            {!empty && <CountriesAndTimes parts={found} overview={overview} behind={behind} />}
            <MapSection parts={found} />
          </>
        )}
      </Answer>
      {overview.limits !== null && <Limits limits={overview.limits} />}
    </>
  );
}

interface CountriesAndTimesProps extends Pick<FiguresProps, 'overview'> {
  readonly parts: OverviewParts;
  readonly behind: Behind;
}

function CountriesAndTimes({ parts, overview, behind }: CountriesAndTimesProps) {
  const Arranged = parts.carriers.length > MOST_BESIDE ? Fragment : Pair;
  return (
    <Arranged>
      <Heatmap parts={parts} behind={behind} />
      <TimeToConfirm overview={overview} />
    </Arranged>
  );
}
