import { useSearchParams } from 'wouter';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { Breakdown } from './breakdown.tsx';
import { CarrierHealthTable } from './carrier-health.tsx';
import { beginOf } from './funnel.ts';
import { FunnelBars } from './funnel-bars.tsx';
import { Limits } from './limits.tsx';
import { type Filter, useOverview } from './query.ts';
import { RangeBar } from './range-bar.tsx';
import { Traffic } from './traffic.tsx';

const BREAKDOWNS = [
  ['country', 'By country'],
  ['carrier', 'By carrier'],
  ['key', 'By key'],
] as const;

export default function OverviewPage() {
  const [search, setSearch] = useSearchParams();
  const overview = useOverview(search);
  const change = (changes: Readonly<Record<string, string | null>>) =>
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
  const pick = (filter: Filter) => (name: string) =>
    change({ [filter]: search.get(filter) === name ? null : name });
  return (
    <Page title="Overview" about="What happened to the codes that were requested.">
      <RangeBar search={search} change={change} />
      <Answer of={overview} lines={8}>
        {(answer) => (
          <>
            {beginOf(answer.total).count === 0 ? (
              <Empty
                title={
                  answer.total.requested === null
                    ? 'This carrier had no traffic in this period'
                    : 'No codes were requested in this period'
                }
              >
                Choose a longer period, or {search.get('test') === 'true' ? 'live' : 'test'} traffic above.
                You can send a first code from the handset.
              </Empty>
            ) : (
              <Section
                title={
                  answer.total.requested === null
                    ? 'From attempt to confirmation'
                    : 'From request to confirmation'
                }
              >
                <FunnelBars overview={answer} />
              </Section>
            )}
            <Traffic overview={answer} zoom={change} />
            {BREAKDOWNS.map(([filter, title]) => (
              <Breakdown
                key={filter}
                title={title}
                filter={filter}
                of={answer}
                picked={search.get(filter)}
                pick={pick(filter)}
              />
            ))}
            {answer.limits !== null && <Limits limits={answer.limits} />}
          </>
        )}
      </Answer>
      <CarrierHealthTable />
    </Page>
  );
}
