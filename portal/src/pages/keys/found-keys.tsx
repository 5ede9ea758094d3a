import { Button, Code, NativeSelect, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { KeySearch } from '#contract/keys.ts';
import { addressOf, call } from '../../api/call.ts';
import { formatCount } from '../../format/number.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { FindBar } from '../../parts/form/find-bar.tsx';
import { OlderButton } from '../../parts/older-button.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { KeyTable } from './key-table.tsx';
import type { KeyTask } from './task.ts';

export function FoundKeys({ onTask }: { readonly onTask: (task: KeyTask) => void }) {
  const account = useAccount();
  const mayChange = useMay('developer');
  const [search, setSearch] = useSearchParams();
  const [text, find] = useState('');
  const filters = filtersOf(search, text);
  const keys = useKeys(filters);
  const { id, state, test } = filters;
  const isNarrowed = text !== '' || FILTERS.some((name) => search.has(name));
  function set(name: string, value: string): void {
    const next = new URLSearchParams(search);
    if (value === '') next.delete(name);
    else next.set(name, value);
    setSearch(next);
  }
  const file = addressOf('GET accounts/:account/keys.csv', account.id, {
    query: { state, test: test === undefined ? undefined : String(test) },
  });
  return (
    <div>
      {id === undefined ? (
        <FindBar
          label="Name, beginning or maker"
          placeholder="Such as csk_live_AbC3"
          typed={text}
          find={find}
          isNarrowed={isNarrowed}
          clear={() => setSearch(new URLSearchParams())}
          // What was typed may be a key, and a file has an address.
          beside={
            text === '' && (
              <Button component="a" href={file} download size="xs" variant="default">
                Export as CSV
              </Button>
            )
          }
        >
          <NativeSelect
            size="xs"
            label="State"
            value={search.get('state') ?? ''}
            onChange={(event) => set('state', event.currentTarget.value)}
            data={[
              { value: '', label: 'In use' },
              { value: 'ended', label: 'Revoked or expired' },
              { value: 'any', label: 'Any' },
            ]}
          />
          <NativeSelect
            size="xs"
            label="Traffic"
            value={search.get('test') ?? ''}
            onChange={(event) => set('test', event.currentTarget.value)}
            data={[
              { value: '', label: 'Any' },
              { value: 'false', label: 'Live' },
              { value: 'true', label: 'Test' },
            ]}
          />
        </FindBar>
      ) : (
        <Text mb="md" size="sm" component="div">
          Only this key is shown.{' '}
          <Button size="compact-sm" variant="subtle" onClick={() => set('key', '')}>
            Show all keys
          </Button>
        </Text>
      )}
      <Answer of={keys}>
        {({ found, count }) =>
          found.length === 0 ? (
            <Empty
              title={isNarrowed ? 'Nothing matches' : 'No keys in use'}
              action={!isNarrowed && mayChange && <Code>countersign keys create --name Checkout --test</Code>}
            >
              {isNarrowed ? 'Remove some filters, or look for less.' : adviceFor(mayChange)}
            </Empty>
          ) : (
            <>
              <Text size="sm" c="dimmed" mb="xs" role="status">
                {countWords(count ?? found.length, count !== null || !keys.hasNextPage)}
              </Text>
              <KeyTable keys={found} onTask={onTask} />
              <OlderButton list={keys}>Show older keys</OlderButton>
            </>
          )
        }
      </Answer>
    </div>
  );
}

const adviceFor = (mayChange: boolean): string =>
  mayChange
    ? 'Without a key, your servers cannot ask for codes. Start with a test key: its codes arrive on the handset and cost nothing. Make one with the button above, or on the command line of the service. Revoked and expired keys are under “State”.'
    : 'Owners and developers can create keys.';

const countWords = (count: number, isAll: boolean): string =>
  `${formatCount(count)}${isAll ? '' : ' or more'} ${count === 1 ? 'key' : 'keys'}`;

/** Those in the address; keys in use if it says nothing else. */
const FILTERS = ['key', 'state', 'test'] as const;

function filtersOf(search: URLSearchParams, text: string): Omit<KeySearch, 'before'> {
  const [id, state, test] = FILTERS.map((name) => search.get(name));
  // A link leads to one key, whatever became of it.
  if (id) return { id };
  return {
    ...(text !== '' && { text }),
    ...(state !== 'any' && { state: state === 'ended' ? 'ended' : 'in-use' }),
    ...(test && { test: test === 'true' }),
  };
}

/** The search text goes in the body: people paste whole keys. */
function useKeys(filters: Omit<KeySearch, 'before'>) {
  const account = useAccount();
  return useInfiniteQuery({
    queryKey: ['keys', account.id, filters],
    queryFn: ({ pageParam, signal }) => {
      const body = pageParam === '' ? filters : { ...filters, before: pageParam };
      return call('POST accounts/:account/keys/search', account.id, { body }, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    ...(filters.text === undefined ? {} : { gcTime: 0 }),
    select: ({ pages }) => ({
      found: pages.flatMap(({ keys }) => keys),
      count: pages[0]?.count ?? null,
    }),
  });
}
