import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FunnelFigures } from '#contract/overview.ts';
import {
  formatChange,
  formatCount,
  formatLatency,
  formatMoney,
  formatPoints,
  formatRate,
  formatSum,
  NONE,
} from '../../../format/number.ts';
import { Explain } from '../../../parts/explain.tsx';
import { FigureLink } from '../../../parts/figure-link.tsx';
import type { Behind, Figure as Counted } from '../behind.ts';
import type { Earlier, OverviewInRange } from '../query.ts';
import { type Explained, MEANS } from '../words.ts';
import { beginOf, costOfEach, FIGURES, type FunnelStage, stagesOf, sumOf, withoutReceipt } from './funnel.ts';
import css from './funnel-bars.module.css';

interface FunnelBarsProps {
  readonly overview: OverviewInRange;
  readonly earlier: Earlier | undefined;
  readonly behind: Behind;
}

/** Each stage with its share of the whole, its median time, and what changed. */
export function FunnelBars({ overview, earlier, behind }: FunnelBarsProps) {
  const { total, latency, currency, series, finished } = overview;
  const begin = beginOf(total);
  const silent = withoutReceipt(total);
  // What still counts has nothing to be compared with.
  const over = earlier && sumOf(series.slice(0, finished).map(({ funnel }) => funnel));
  const before = earlier?.total;
  const change = (pick: (funnel: FunnelFigures) => number | null, better?: Better) => (
    <Difference now={over && pick(over)} before={before && pick(before)} better={better} />
  );
  const list = (figure: Counted, count: number) => (
    <FigureLink to={behind(figure)}>{formatCount(count)}</FigureLink>
  );
  const stagesOver = over && stagesOf(over);
  const stagesBefore = before && stagesOf(before);
  return (
    <>
      <ol className={css.funnel}>
        <Bar
          name={begin.name}
          value={list(total.requested === null ? 'attempted' : 'requested', begin.count)}
          share={1}
          about="all codes"
          change={change((funnel) => beginOf(funnel).count)}
        />
        {stagesOf(total).map((stage, index) => (
          <Bar
            key={stage.name}
            name={stage.name}
            value={stage.count === null ? NONE : list(FIGURES[stage.name], stage.count)}
            share={(stage.count ?? 0) / Math.max(1, stage.of)}
            about={aboutOf(stage, latency[stage.median].p50)}
            change={
              <Difference
                shares
                better="more"
                now={shareOf(stagesOver?.[index])}
                before={shareOf(stagesBefore?.[index])}
              />
            }
          />
        ))}
      </ol>
      <dl className={css.figures}>
        <Figure name="Cost" change={change(({ cost }) => cost)}>
          {formatSum(total.cost, currency)}
        </Figure>
        <Figure name="Cost per confirmation" change={change(costOfEach, 'less')}>
          {formatMoney(costOfEach(total), currency)}
        </Figure>
        <Figure name="Reported undelivered" change={change(({ undelivered }) => undelivered, 'less')}>
          {list('undelivered', total.undelivered)}
        </Figure>
        <Figure name="Without a receipt" change={change(withoutReceipt, 'less')}>
          {silent === null ? 'no receipts' : list('unreported', silent)}
        </Figure>
        {total.failed === null ? (
          <Figure
            name="Attempts not accepted"
            change={change(({ attempted, submitted }) => attempted - submitted, 'less')}
          >
            {list('refused', total.attempted - total.submitted)}
          </Figure>
        ) : (
          <Figure name="Failed" change={change(({ failed }) => failed, 'less')}>
            {list('failed', total.failed)}
          </Figure>
        )}
        <Figure name="Slowest 5% confirmed after">{formatLatency(latency.confirmed.p95)}</Figure>
      </dl>
    </>
  );
}

const shareOf = (stage: FunnelStage | undefined): number | null =>
  stage === undefined || stage.count === null || stage.of === 0 ? null : stage.count / stage.of;

function aboutOf({ count, of }: FunnelStage, median: number | null): string {
  if (count === null) return 'no receipts';
  const half = median === null ? '' : `, half within ${formatLatency(median)}`;
  // A message that one carrier accepted but could not deliver is accepted by another one, too.
  return count > of ? `some through a second carrier${half}` : `${formatRate(count, of)}${half}`;
}

interface BarProps {
  readonly name: Explained;
  readonly value: ReactNode;
  /** Of 1. */
  readonly share: number;
  readonly about: string;
  readonly change: ReactNode;
}

function Bar({ name, value, share, about, change }: BarProps) {
  return (
    <li>
      <Text size="sm" c="dimmed" component="div">
        {name}
        <Explain what={name}>{MEANS[name]}</Explain>
      </Text>
      <p className={css.count}>{value}</p>
      <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect className={css.whole} width="100" height="1" />
        <rect className={css.part} width={share * 100} height="1" />
      </svg>
      <Text size="sm">
        {about}
        {change}
      </Text>
    </li>
  );
}

interface FigureProps {
  readonly name: Explained;
  readonly change?: ReactNode;
  readonly children: ReactNode;
}

function Figure({ name, change, children }: FigureProps) {
  return (
    <div>
      <dt>
        {name}
        <Explain what={name}>{MEANS[name]}</Explain>
      </dt>
      <dd>
        {children}
        {change}
      </dd>
    </div>
  );
}

const COLORS = {
  good: 'var(--mantine-color-green-light-color)',
  bad: 'var(--mantine-color-red-light-color)',
};

/** Which way is good; of some figures neither is. */
type Better = 'more' | 'less' | undefined;

interface DifferenceProps {
  readonly now: number | null | undefined;
  readonly before: number | null | undefined;
  /** Both are shares of 1. */
  readonly shares?: boolean;
  readonly better?: Better;
}

/** How a figure changed against the period before; nothing where that had none. */
function Difference({ now, before, shares = false, better }: DifferenceProps) {
  if (now === undefined || before === undefined || now === null || before === null) return null;
  const text = shares ? formatPoints(now, before) : formatChange(now, before);
  if (text === null) return null;
  // A little is chance.
  const isSmall = shares ? Math.abs(now - before) < 0.005 : Math.abs(now - before) < 0.01 * Math.abs(before);
  const color =
    better === undefined || isSmall
      ? 'dimmed'
      : COLORS[now > before === (better === 'more') ? 'good' : 'bad'];
  return (
    <Text component="span" size="xs" c={color}>
      {' '}
      <span className={css.change}>
        <span aria-hidden="true">{now > before ? '↑ ' : now < before ? '↓ ' : ''}</span>
        {text}
      </span>
      <span className="quiet"> against the period before</span>
    </Text>
  );
}
