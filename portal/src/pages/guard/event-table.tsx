import { Table } from '@mantine/core';
import type { GuardView } from '#contract/guard.ts';
import { placeWords } from '../../format/guard.ts';
import { NONE } from '../../format/number.ts';
import { formatInstant } from '../../format/time.ts';
import { ScrollingTable } from '../../parts/page/scroller.tsx';

type Event = GuardView['events'][number];

const WHAT: Readonly<Record<Event['name'], string>> = {
  'guard.acting': 'Began to refuse',
  'guard.recovered': 'Lets requests pass again',
  'budget.reached': 'A budget runs low',
};

export function EventTable({ events }: Pick<GuardView, 'events'>) {
  return (
    <ScrollingTable label="What happened" columns={['When', 'What', 'Where', 'More']} stacked>
      {events.map(({ at, name, place, budget, detail }) => (
        <Table.Tr key={`${at} ${name} ${place?.name ?? budget}`}>
          <Table.Th scope="row">{formatInstant(at)}</Table.Th>
          <Table.Td data-label="What">{WHAT[name]}</Table.Td>
          <Table.Td data-label="Where">{place === null ? (budget ?? NONE) : placeWords(place)}</Table.Td>
          <Table.Td data-label="More">{detail}</Table.Td>
        </Table.Tr>
      ))}
    </ScrollingTable>
  );
}
