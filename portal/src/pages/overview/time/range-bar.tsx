import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { addressOf } from '../../../api/call.ts';
import { choiceOf, listChannels } from '../../../format/channel.ts';
import { countryName } from '../../../format/country.ts';
import { useAccount } from '../../../frame/account.ts';
import { useChannels } from '../../../frame/channels.ts';
import { useZone } from '../../../frame/zone.ts';
import { FILTERS, type Filter, overviewQuery } from '../query.ts';
import { daysOf, isLongest, MOVES, PRESETS, type Range, rangeOf, rangeOfDays } from './range.ts';
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

/** A file of what the whole page shows. */
export function ExportButton({ search }: Pick<RangeBarProps, 'search'>) {
  const account = useAccount();
  const [zone] = useZone();
  const query = overviewQuery(search, rangeOf(search, Date.now(), zone));
  return (
    <Button
      component="a"
      href={addressOf('GET accounts/:account/overview.csv', account.id, { query })}
      download
      size="xs"
      variant="default"
    >
      Export as CSV
    </Button>
  );
}

export function RangeBar({ search, change }: RangeBarProps) {
  const channels = useChannels([search.get('channel')]);
  const [zone] = useZone();
  const range = rangeOf(search, Date.now(), zone);
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
      <Days range={range} change={change} />
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
        {FILTERS.filter((filter) => filter !== 'channel' && search.get(filter)).map((filter) => (
          <Button key={filter} size="xs" variant="light" onClick={() => change({ [filter]: null })}>
            {nameOf(filter, search.get(filter) ?? '')} ×<span className="quiet"> Remove this filter</span>
          </Button>
        ))}
      </Group>
    </div>
  );
}

/** Whole days, the last one included. A field that is emptied or ends before it begins changes nothing. */
function Days({ range, change }: { readonly range: Range; readonly change: RangeBarProps['change'] }) {
  const [zone] = useZone();
  const [first, last] = daysOf(range, zone);
  function set(from: string, to: string): void {
    const chosen = rangeOfDays(from, to, zone);
    if (chosen !== undefined) change(asSearch(chosen));
  }
  const day = (label: string, value: string, chosen: (day: string) => void) => (
    <TextInput
      key={value}
      size="xs"
      type="date"
      aria-label={label}
      defaultValue={value}
      onChange={(event) => chosen(event.currentTarget.value)}
    />
  );
  return (
    <Group gap="0.375rem" wrap="nowrap">
      {day('First day', first, (chosen) => set(chosen, chosen > last ? chosen : last))}
      <span aria-hidden="true">–</span>
      {day('Last day', last, (chosen) => set(chosen < first ? chosen : first, chosen))}
    </Group>
  );
}

/** Earlier, later, closer or wider than what is shown. */
export function Moves({ search, change }: RangeBarProps) {
  const [zone] = useZone();
  const range = () => rangeOf(search, Date.now(), zone);
  return (
    <Button.Group aria-label="Move">
      {Object.entries(MOVES).map(([name, move]) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          disabled={name === 'Zoom out' && isLongest(range())}
          onClick={() => change(asSearch(move(range(), Date.now())))}
        >
          {name}
        </Button>
      ))}
    </Button.Group>
  );
}

/** The address has only the id of a key. */
function nameOf(filter: Filter, value: string): string {
  if (filter === 'key') return 'one key';
  return filter === 'country' ? countryName(value) : value;
}
