import { Button, Group, NativeSelect } from '@mantine/core';
import { addressOf } from '../../../api/call.ts';
import { choiceOf, listChannels } from '../../../format/channel.ts';
import { countryName } from '../../../format/country.ts';
import { useAccount } from '../../../frame/account.ts';
import { useChannels } from '../../../frame/channels.ts';
import { FILTERS, type Filter, overviewQuery } from '../query.ts';
import { isLongest, MOVES, PRESETS, type Range, rangeOf } from './range.ts';
import css from './range-bar.module.css';

interface RangeBarProps {
  readonly search: URLSearchParams;
  readonly change: (changes: Readonly<Record<string, string | null>>) => void;
}

export const asSearch = ({ from, to }: Range) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  range: null,
});

export function RangeBar({ search, change }: RangeBarProps) {
  const account = useAccount();
  const channels = useChannels([search.get('channel')]);
  const range = rangeOf(search, Date.now());
  const csv = addressOf('GET accounts/:account/overview.csv', account.id, {
    query: overviewQuery(search, range),
  });
  return (
    <div className={css.bar}>
      <Button.Group aria-label="Time" className={css.presets}>
        {PRESETS.map(({ name, label }) => (
          <Button
            key={name}
            size="xs"
            variant={range.preset === name ? 'light' : 'default'}
            aria-pressed={range.preset === name}
            onClick={() => change({ range: name, from: null, to: null })}
          >
            {label}
          </Button>
        ))}
      </Button.Group>
      <Button.Group aria-label="Move">
        {Object.entries(MOVES).map(([name, move]) => (
          <Button
            key={name}
            size="xs"
            variant="default"
            disabled={name === 'Zoom out' && isLongest(range)}
            onClick={() => change(asSearch(move(rangeOf(search, Date.now()), Date.now())))}
          >
            {name}
          </Button>
        ))}
      </Button.Group>
      <Group gap="xs">
        <NativeSelect
          size="xs"
          aria-label="Traffic"
          value={search.get('test') === 'true' ? 'true' : 'false'}
          onChange={(event) => change({ test: event.currentTarget.value === 'true' ? 'true' : null })}
          data={[
            { value: 'false', label: 'Live traffic' },
            { value: 'true', label: 'Test traffic' },
          ]}
        />
        <NativeSelect
          size="xs"
          aria-label="Channel"
          value={search.get('channel') ?? ''}
          onChange={(event) => change({ channel: event.currentTarget.value || null })}
          data={[{ value: '', label: listChannels(channels) }, ...channels.map(choiceOf)]}
        />
        <Button component="a" href={csv} download size="xs" variant="default">
          Export as CSV
        </Button>
        {FILTERS.filter((filter) => filter !== 'channel' && search.get(filter)).map((filter) => (
          <Button key={filter} size="xs" variant="light" onClick={() => change({ [filter]: null })}>
            {nameOf(filter, search.get(filter) ?? '')} ×<span className="quiet"> Remove this filter</span>
          </Button>
        ))}
      </Group>
    </div>
  );
}

/** The address has only the id of a key. */
function nameOf(filter: Filter, value: string): string {
  if (filter === 'key') return 'one key';
  return filter === 'country' ? countryName(value) : value;
}
