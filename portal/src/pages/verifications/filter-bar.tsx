import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAsk } from '../../api/hooks.ts';
import { choiceOf } from '../../format/channel.ts';
import { COUNTRIES } from '../../format/country.ts';
import { fieldOfInstant, instantOfField } from '../../format/time.ts';
import { useChannels } from '../../frame/channels.ts';
import { STATUSES } from '../../parts/status.tsx';
import css from './page.module.css';
import { ATTEMPTS, REFUSED } from './query.ts';

interface FilterBarProps {
  readonly search: URLSearchParams;
  readonly setSearch: (next: URLSearchParams) => void;
}

type Option = { readonly value: string; readonly label: string };

export function FilterBar({ search, setSearch }: FilterBarProps) {
  const keys = useAsk('GET accounts/:account/keys', {});
  const carriers = useAsk('GET accounts/:account/carriers', {});
  const channels = useChannels([search.get('channel')]);
  function set(name: string, value: string): void {
    const next = new URLSearchParams(search);
    if (value === '') next.delete(name);
    else next.set(name, value);
    setSearch(next);
  }
  const choice = (name: string, label: string, options: readonly Option[]) => (
    <NativeSelect
      size="xs"
      label={label}
      value={search.get(name) ?? ''}
      onChange={(event) => set(name, event.currentTarget.value)}
      data={[{ value: '', label: 'Any' }, ...options]}
    />
  );
  const time = (name: string, label: string) => (
    <TextInput
      size="xs"
      type="datetime-local"
      label={label}
      value={fieldOfInstant(search.get(name))}
      onChange={(event) => set(name, instantOfField(event.currentTarget.value) ?? '')}
    />
  );
  // A telephone has no room for all the fields above the list; which of them are set stands there in any case.
  const [startsOpen] = useState(() => window.matchMedia('(min-width: 44em)').matches);
  return (
    <details open={startsOpen} className={css.fold}>
      <summary>Filters</summary>
      <fieldset className={css.filters} aria-label="Filters">
        {choice('status', 'Status', [
          ...Object.entries(STATUSES).map(([value, { label }]) => ({ value, label })),
          { value: REFUSED, label: 'Refused by the guard' },
        ])}
        {choice('channel', 'Channel', channels.map(choiceOf))}
        {choice(
          'country',
          'Country',
          COUNTRIES.map(({ code, name }) => ({ value: code, label: name })),
        )}
        {choice('carrier', 'Carrier', carriers.data?.map(({ name }) => ({ value: name, label: name })) ?? [])}
        {choice(
          'attempt',
          'Attempt',
          Object.entries(ATTEMPTS).map(([value, label]) => ({ value, label })),
        )}
        {choice('key', 'Key', keys.data?.map(({ id, name }) => ({ value: id, label: name })) ?? [])}
        {choice('test', 'Traffic', [
          { value: 'false', label: 'Live' },
          { value: 'true', label: 'Test' },
        ])}
        {time('from', 'From')}
        {time('to', 'To')}
      </fieldset>
    </details>
  );
}
