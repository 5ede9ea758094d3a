import { useSearchParams } from 'wouter';
import { Answer } from '../../parts/answer.tsx';
import { Page } from '../../parts/page/page.tsx';
import { useView, Views } from '../../parts/page/views.tsx';
import { CarrierCoursesSection } from './carriers/carrier-courses.tsx';
import { CountriesView } from './countries/countries-view.tsx';
import { Limits } from './funnel/limits.tsx';
import { useOverview } from './query.ts';
import { FirstSteps } from './start/first-steps.tsx';
import { ExportButton, RangeBar } from './time/range-bar.tsx';
import { TimeToConfirm } from './time/time-to-confirm.tsx';
import { TrafficView } from './traffic-view.tsx';

const VIEWS = {
  traffic: 'Traffic',
  carriers: 'Carriers',
  countries: 'Countries',
  confirmation: 'Confirmation',
} as const;

export default function OverviewPage() {
  const [search, setSearch] = useSearchParams();
  const [view] = useView(VIEWS, 'traffic');
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
  return (
    <Page
      title="Overview"
      about="What happened to the codes that were requested."
      actions={<ExportButton search={search} />}
    >
      <Views label="Parts of the overview" names={VIEWS} shown={view} keep={search} />
      {view === 'traffic' && <FirstSteps />}
      <RangeBar search={search} change={change} />
      {view === 'carriers' ? (
        <CarrierCoursesSection search={search} />
      ) : (
        <Answer of={overview} lines={8} tall>
          {(answer) => (
            <>
              {view === 'traffic' && <TrafficView overview={answer} search={search} change={change} />}
              {view === 'countries' && <CountriesView overview={answer} search={search} />}
              {view === 'confirmation' && (
                <>
                  <TimeToConfirm overview={answer} />
                  {answer.limits !== null && <Limits limits={answer.limits} />}
                </>
              )}
            </>
          )}
        </Answer>
      )}
    </Page>
  );
}
