import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { CarrierCourses } from '#contract/overview.ts';
import chart from '../../../charts/chart.module.css';
import { Reader } from '../../../charts/reader.tsx';
import { areaPath, type ChartFrame, linePath, xOf } from '../../../charts/scale.ts';
import { SeriesTable } from '../../../charts/series-table.tsx';
import { formatCount, formatRate } from '../../../format/number.ts';
import { formatMinute } from '../../../format/time.ts';
import { useZone } from '../../../frame/zone.ts';
import { Answer } from '../../../parts/answer.tsx';
import { Section } from '../../../parts/page/page.tsx';
import { useCarrierCourses } from '../query.ts';
import { MEANS } from '../words.ts';
import css from './carrier-courses.module.css';

type Course = CarrierCourses['carriers'][number];

const TITLE = 'Carriers over time';
/** Of the drawing, which is stretched to the width that it gets. */
const WIDTH = 1_000;
const HEIGHT = 64;
/** Those with the most messages come first. */
const FIRST = 12;

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

/** One small chart for each carrier, all with the same scale, and read together. */
export function CarrierCoursesSection({ search }: { readonly search: URLSearchParams }) {
  const courses = useCarrierCourses(search);
  return (
    <Section
      title={TITLE}
      about="The line is the share that was confirmed, from 0 to 100%; the area is how many messages the carrier accepted."
      explain={MEANS[TITLE]}
    >
      <Answer of={courses} lines={3}>
        {(found) => (found.carriers.length === 0 ? <NoTraffic /> : <Multiples {...found} />)}
      </Answer>
    </Section>
  );
}

const NoTraffic = () => <Text c="dimmed">No carrier was asked in this period.</Text>;

function Multiples({ starts, carriers }: CarrierCourses) {
  const [zone] = useZone();
  const [read, setRead] = useState<number>();
  const [all, showAll] = useState(false);
  const times = starts.map((at) => Date.parse(at));
  const most = Math.max(1, ...carriers.flatMap(({ submitted }) => submitted));
  const shareAt = ({ confirmed, submitted }: Course, index: number) =>
    formatRate(confirmed[index] ?? 0, submitted[index] ?? 0);
  return (
    <div className={css.box}>
      <Reader
        label={TITLE}
        count={starts.length}
        index={read}
        read={setRead}
        textOf={(index) =>
          `${formatMinute(times[index] ?? 0, zone)}: ${carriers.map((each) => `${each.name} ${shareAt(each, index)}`).join(', ')}`
        }
      />
      <div className={css.grid}>
        {carriers.slice(0, all ? carriers.length : FIRST).map((course) => (
          <div key={course.name} className={css.one}>
            <div className={css.name}>
              <Text size="sm" fw={600}>
                {course.name}
              </Text>
              <Text size="sm">
                {read === undefined
                  ? `${formatRate(sum(course.confirmed), sum(course.submitted))} of ${formatCount(sum(course.submitted))}`
                  : shareAt(course, read)}
              </Text>
            </div>
            <Spark course={course} times={times} most={most} read={read} />
          </div>
        ))}
      </div>
      {!all && carriers.length > FIRST && (
        <Button mt="sm" variant="default" size="xs" onClick={() => showAll(true)}>
          Show all {carriers.length} carriers
        </Button>
      )}
      <SeriesTable
        label={TITLE}
        zone={zone}
        lines={carriers.map((course) => ({
          name: course.name,
          format: (share) => formatRate(share, 1),
          points: pointsOf(course, times),
        }))}
      />
    </div>
  );
}

/** The share that was confirmed; none where nothing was accepted. */
const pointsOf = ({ confirmed, submitted }: Course, times: readonly number[]) =>
  times.map((at, index) => {
    const whole = submitted[index] ?? 0;
    return { at, value: whole === 0 ? null : (confirmed[index] ?? 0) / whole };
  });

interface SparkProps {
  readonly course: Course;
  readonly times: readonly number[];
  /** The highest number of any carrier. */
  readonly most: number;
  readonly read: number | undefined;
}

function Spark({ course, times, most, read }: SparkProps) {
  const [from, to] = [times[0] ?? 0, (times.at(-1) ?? 0) + 1];
  const shares: ChartFrame = { width: WIDTH, height: HEIGHT, from, to, max: 1 };
  const at = read === undefined ? undefined : times[read];
  return (
    <svg
      className={css.spark}
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      height={HEIGHT + 4}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${course.name}: ${formatRate(sum(course.confirmed), sum(course.submitted))} confirmed; the figures are in the table below.`}
    >
      <path
        className={css.volume}
        d={areaPath(
          times.map((time, index) => ({ at: time, value: course.submitted[index] ?? 0 })),
          { ...shares, max: most },
        )}
      />
      <line className={chart.axis} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      <path className={css.line} d={linePath(pointsOf(course, times), shares)} />
      {at !== undefined && (
        <line className={chart.cursor} x1={xOf(at, shares)} x2={xOf(at, shares)} y2={HEIGHT} />
      )}
    </svg>
  );
}
