import { Button, Text } from '@mantine/core';
import type { Filters } from '#contract/verifications.ts';
import { addressOf } from '../../api/call.ts';
import { useAsk } from '../../api/hooks.ts';
import { CHANNEL_NAMES, channelName } from '../../format/channel.ts';
import { countryName } from '../../format/country.ts';
import { nameIn } from '../../format/name-in.ts';
import { formatCount } from '../../format/number.ts';
import { formatInstant, formatMinute } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { FilterChips } from '../../parts/form/filter-chips.tsx';
import { STATUSES } from '../../parts/status.tsx';
import { ATTEMPTS, FILTERS, type Filter, REFUSED } from './query.ts';

interface ActiveFiltersProps {
  readonly search: URLSearchParams;
  readonly setSearch: (next: URLSearchParams) => void;
  readonly filters: Filters;
  /** Whether the list is of verifications with these filters only, so that they can be counted and exported. */
  readonly whole: boolean;
}

/** What the list is narrowed to, how many that finds, and a file of them. */
export function ActiveFilters({ search, setSearch, filters, whole }: ActiveFiltersProps) {
  const account = useAccount();
  const keys = useAsk('GET accounts/:account/keys', {});
  const chips = FILTERS.flatMap((name) => {
    const value = search.get(name);
    if (!value) return [];
    const key = name === 'key' ? keys.data?.find(({ id }) => id === value)?.name : undefined;
    return [{ name, label: LABELS[name](key ?? value) }];
  });
  const file = addressOf('GET accounts/:account/verifications.csv', account.id, { query: filters });
  return (
    <FilterChips
      chips={chips}
      remove={(name) => {
        const next = new URLSearchParams(search);
        next.delete(name);
        setSearch(next);
      }}
      clear={() => setSearch(new URLSearchParams())}
      beside={
        whole && (
          <Button
            component="a"
            href={file}
            download
            size="compact-xs"
            variant="default"
            title="The newest 10,000, with masked numbers"
          >
            {chips.length > 0 ? 'Export what matches' : 'Export'} as CSV
          </Button>
        )
      }
    >
      {whole && <Count filters={filters} />}
    </FilterChips>
  );
}

function Count({ filters }: { readonly filters: Filters }) {
  const counted = useAsk('GET accounts/:account/verifications/count', { query: filters });
  if (counted.data === undefined) return null;
  const { count, searched_to: since } = counted.data;
  const codes = count === 1 ? 'code' : 'codes';
  return (
    <Text size="sm" fw={600} role="status" aria-label="Found">
      {since === null
        ? `${formatCount(count)} ${codes}`
        : `${formatCount(count)} ${codes} since ${formatMinute(since)}, and there may be older ones`}
    </Text>
  );
}

const LABELS: Readonly<Record<Filter, (value: string) => string>> = {
  status: (value) =>
    `Status: ${value === REFUSED ? 'Refused by the guard' : (nameIn(STATUSES, value)?.label ?? value)}`,
  channel: (value) => {
    const channel = CHANNEL_NAMES.find((each) => each === value);
    return `Channel: ${channel === undefined ? value : channelName(channel)}`;
  },
  country: (value) => `Country: ${countryName(value)}`,
  carrier: (value) => `Carrier: ${value}`,
  attempt: (value) => `Attempt: ${nameIn(ATTEMPTS, value) ?? value}`,
  key: (value) => `Key: ${value}`,
  test: (value) => (value === 'true' ? 'Test traffic' : 'Live traffic'),
  counted: () => 'Only what the overview counts',
  from: (value) => `From ${formatTime(value)}`,
  to: (value) => `Before ${formatTime(value)}`,
};

/** The address is anybody's to write; the server says what is wrong with it. */
const formatTime = (value: string): string =>
  Number.isNaN(Date.parse(value)) ? value : formatInstant(value).replace(/:00$/, '');
