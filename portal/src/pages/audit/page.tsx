import { Button, Code, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { AuditFilters, AuditLog } from '#contract/audit.ts';
import { addressOf } from '../../api/call.ts';
import { formatInstant, formatMinute } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { OlderButton } from '../../parts/older-button.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page, Section } from '../../parts/page/page.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { FilterBar } from './filter-bar.tsx';
import css from './filters.module.css';
import { filtersOf, NOTHING_TYPED, useAuditLog } from './query.ts';
import { sentenceOf } from './sentence.ts';

export default function Audit() {
  const [search, setSearch] = useSearchParams();
  const [typed, find] = useState(NOTHING_TYPED);
  const filters = filtersOf(search, typed);
  return (
    <Page
      title="Audit log"
      about="Every change to keys, people, settings and the do-not-send list, every full number that was shown, and every data request that was answered: who did it, when and from where."
    >
      <FilterBar search={search} setSearch={setSearch} typed={typed} find={find} />
      <FoundEntries filters={filters} />
    </Page>
  );
}

function FoundEntries({ filters }: { readonly filters: AuditFilters }) {
  const account = useAccount();
  const log = useAuditLog(filters);
  const isNarrowed = Object.keys(filters).length > 0;
  const fileOf = (format: 'csv' | 'json') =>
    addressOf(`GET accounts/:account/audit.${format}`, account.id, { query: filters });
  return (
    <Answer of={log}>
      {({ entries, searchedTo, last }) => (
        <>
          <div>
            {entries.length > 0 && (
              <Group gap="xs" mb="sm">
                {(['csv', 'json'] as const).map((format) => (
                  <Button
                    key={format}
                    component="a"
                    href={fileOf(format)}
                    download
                    size="xs"
                    variant="default"
                  >
                    {isNarrowed ? 'Export what matches' : 'Export'} as {format.toUpperCase()}
                  </Button>
                ))}
              </Group>
            )}
            {entries.length === 0 ? (
              <Empty title={isNarrowed ? 'Nothing matches' : 'No changes yet'}>
                {isNarrowed
                  ? `Searched back to ${searchedTo === null ? 'the beginning' : formatMinute(searchedTo)}. Remove some filters, or search further back.`
                  : 'Changes to keys, people and settings will appear here.'}
              </Empty>
            ) : (
              <EntryTable entries={entries} />
            )}
            <OlderButton list={log}>
              {entries.length === 0 ? 'Search further back' : 'Older entries'}
            </OlderButton>
          </div>
          {last !== null && <LastEntry last={last} />}
        </>
      )}
    </Answer>
  );
}

function EntryTable({ entries }: { readonly entries: AuditLog['entries'] }) {
  return (
    <ScrollingTable
      label="Audit log"
      columns={['No.', 'When', 'What', 'Action', 'From']}
      figures={['No.']}
      spacing={6}
      stacked
      sticky
    >
      {entries.map((entry) => (
        <Table.Tr key={entry.id}>
          <Table.Td data-label="No." className="number">
            {entry.seq}
          </Table.Td>
          <Table.Td data-label="When">{formatInstant(entry.at)}</Table.Td>
          <Table.Td data-label="What">
            <Told entry={entry} />
          </Table.Td>
          <Table.Td data-label="Action">
            <Text component="span" size="xs" c="dimmed">
              {entry.action}
            </Text>
          </Table.Td>
          <Table.Td data-label="From">{entry.address ?? '–'}</Table.Td>
        </Table.Tr>
      ))}
    </ScrollingTable>
  );
}

function Told({ entry }: { readonly entry: AuditLog['entries'][number] }) {
  const { who, before, subject, after, more } = sentenceOf(entry);
  return (
    <>
      <strong className={css.name}>{who}</strong> {before}
      <strong className={css.name}>{subject}</strong>
      {after}
      {more !== '' && (
        <Text component="span" size="xs" c="dimmed">
          {' · '}
          {more}
        </Text>
      )}
    </>
  );
}

/** `last` is the number, the hash and the time of the newest entry. */
function LastEntry({ last }: { readonly last: string }) {
  return (
    <Section
      title="Newest entry"
      about={
        <>
          Its number, hash and time. Each hash covers the one before it: keep this one outside the service,
          and <Code>countersign audit verify --expect</Code> tells later whether any entry up to it was
          changed or removed.
        </>
      }
    >
      <Group gap="sm">
        <Text size="sm" component="div" className={css.hash}>
          <Code>{last}</Code>
        </Text>
        <CopyButton text={last} />
      </Group>
    </Section>
  );
}
