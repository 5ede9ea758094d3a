import type { GuardView } from '#contract/guard.ts';
import { Bars } from '../../charts/bars.tsx';
import { formatCount, formatMoney } from '../../format/number.ts';
import { formatDay, formatDayOfMonth } from '../../format/time.ts';
import { Section } from '../../parts/page/page.tsx';
import { lastDays } from './days.ts';

/** Where no price is known, the requests themselves are shown. */
export function SavedByDay({ days, currency }: Pick<GuardView, 'days' | 'currency'>) {
  const sum = (pick: (day: GuardView['days'][number]) => number) =>
    days.reduce((all, day) => all + pick(day), 0);
  const [refused, observed, saved] = [
    sum((day) => day.refused),
    sum((day) => day.observed),
    sum((day) => day.saved),
  ];
  const isPriced = saved > 0;
  const watched =
    observed === 0 ? '' : ` ${formatCount(observed)} more would have been, but were only watched.`;
  return (
    <Section
      title={isPriced ? 'Saved by day' : 'Refused by day'}
      about={`In 30 days, ${formatCount(refused)} requests were refused.${
        isPriced ? ` Their messages would have cost at least ${formatMoney(saved, currency)}.` : ''
      }${watched}`}
    >
      <Bars
        label={isPriced ? 'Saved' : 'Refused'}
        of="Day"
        tickAt="start"
        bars={lastDays(days, Date.now()).map(({ at, day }, index) => ({
          name: formatDay(at),
          value: (isPriced ? day?.saved : day?.refused) ?? 0,
          ...(index % 7 === 0 && { tick: formatDayOfMonth(at) }),
        }))}
        format={(value) => (isPriced ? formatMoney(value, currency) : formatCount(value))}
      />
    </Section>
  );
}
