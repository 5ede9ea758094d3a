import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Filters } from '#contract/verifications.ts';
import { Problem } from '../../api/problem.ts';
import { looksLikeNumber } from '../../format/number-like.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page } from '../../parts/page/page.tsx';
import { ActiveFilters } from './active-filters.tsx';
import { FilterBar } from './filter-bar.tsx';
import { NothingFound } from './nothing-found.tsx';
import { filtersOf, REFUSED, refusalFiltersOf, useVerifications } from './query.ts';
import { Refusals } from './refusals.tsx';
import { SearchBar } from './search-bar.tsx';
import { VerificationTable } from './verification-table.tsx';

export default function Verifications() {
  const [search, setSearch] = useSearchParams();
  const [query, setQuery] = useState('');
  const filters = filtersOf(search);
  const ofGuard = search.get('status') === REFUSED;
  return (
    <Page title="Verifications" about="What happened to each code, newest first. Numbers are masked.">
      <div>
        <SearchBar query={query} search={setQuery} />
        <FilterBar search={search} setSearch={setSearch} />
      </div>
      <div>
        <ActiveFilters
          search={search}
          setSearch={setSearch}
          filters={filters}
          // A number that was searched for is in no address, so not in that of a count or a file either.
          whole={!ofGuard && query === ''}
        />
        {ofGuard ? (
          <Refusals filters={refusalFiltersOf(filters)} />
        ) : (
          <FoundVerifications filters={filters} query={query} />
        )}
      </div>
    </Page>
  );
}

function FoundVerifications({ filters, query }: { readonly filters: Filters; readonly query: string }) {
  const found = useVerifications(filters, query);
  if (found.error instanceof Problem && found.error.errors.has('query') && looksLikeNumber(query)) {
    return (
      <Empty title="Write the number with + and its country code">
        Such as +447700900123, not 07700 900123.
      </Empty>
    );
  }
  return (
    <Answer of={found} lines={8}>
      {({ verifications, searchedTo }) => (
        <div>
          {verifications.length === 0 ? (
            <NothingFound
              isFiltered={Object.keys(filters).length > 0}
              query={query}
              searchedTo={found.hasNextPage ? searchedTo : undefined}
            />
          ) : (
            <VerificationTable verifications={verifications} />
          )}
          {found.hasNextPage && (
            <Button
              mt="md"
              variant="default"
              loading={found.isFetchingNextPage}
              onClick={() => found.fetchNextPage()}
            >
              {verifications.length === 0 ? 'Search further back' : 'Show older ones'}
            </Button>
          )}
          {!found.hasNextPage && verifications.length > 0 && (
            <Text mt="md" size="sm" c="dimmed">
              No older verifications.
            </Text>
          )}
        </div>
      )}
    </Answer>
  );
}
