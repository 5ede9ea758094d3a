import { NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Evidence, GuardView, PlaceFilter } from '#contract/guard.ts';
import { useAsk } from '../../api/hooks.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { placeWords } from '../../format/guard.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Section } from '../../parts/page/page.tsx';

const EVERY_MS = 60_000;
const SHORTEST_MS = 3_600_000;
/** What is refused there has no evidence of a place. */
const WITHOUT: ReadonlySet<PlaceFilter['kind']> = new Set([
  'silent-number',
  'operator-deny',
  'operator-pause',
]);

export function EvidenceChart({ refused }: Pick<GuardView, 'refused'>) {
  const byName = new Map(refused.map(({ place }) => [place.name, place]));
  const places = [...byName.values()].filter(({ kind }) => !WITHOUT.has(kind));
  const [chosen, choose] = useState('');
  const place = places.find(({ name }) => name === chosen) ?? places[0];
  if (place === undefined) return null;
  return (
    <Section
      title="Evidence over the last day"
      about="Evidence grows with codes that are not confirmed, and a place closes where it crosses the line. 7 stands for odds of 1,100 to 1."
    >
      <Stack>
        <NativeSelect
          label="Place"
          maw="30rem"
          value={place.name}
          onChange={(event) => choose(event.currentTarget.value)}
          data={places.map((each) => ({ value: each.name, label: placeWords(each) }))}
        />
        <Lines place={place.name} />
      </Stack>
    </Section>
  );
}

function Lines({ place }: { readonly place: string }) {
  const evidence = useAsk('GET accounts/:account/guard/evidence', { query: { place } }, { every: EVERY_MS });
  return (
    <Answer of={evidence} lines={4}>
      {(points) => {
        const last = points.at(-1);
        if (last === undefined) return <Empty title="No evidence yet">It is noted within a minute.</Empty>;
        const to = Date.parse(last.at);
        const from = Math.min(Date.parse(points[0]?.at ?? last.at), to - SHORTEST_MS);
        const line = (name: string, pick: (point: Evidence[number]) => number) => ({
          name,
          points: points.map((point) => ({ at: Date.parse(point.at), value: tenths(pick(point)) })),
        });
        return (
          <>
            <TimeSeries
              label="Evidence"
              from={from}
              to={to}
              lines={[line('Evidence', ({ odds }) => odds), line('Closes at', ({ closes_at }) => closes_at)]}
            />
            <TimeSeries
              label="Codes"
              from={from}
              to={to}
              lines={[
                line('Sent', ({ sent }) => sent),
                line('Tries that failed', ({ probes }) => probes),
                line('Confirmed', ({ confirmed }) => confirmed),
              ]}
            />
          </>
        );
      }}
    </Answer>
  );
}

const tenths = (value: number): number => Math.round(value * 10) / 10;
