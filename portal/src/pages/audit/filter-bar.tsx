import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AuditActionGroup } from '#contract/audit.ts';
import { looksLikeNumber } from '../../format/number-like.ts';
import { fieldOfInstant, instantOfField } from '../../format/time.ts';
import css from './filters.module.css';
import { FILTERS, NOTHING_TYPED, type Typed } from './query.ts';

const GROUPS: Readonly<Record<AuditActionGroup, string>> = {
  keys: 'Keys',
  people: 'People and settings',
  'sign-in': 'Sign-in',
  numbers: 'Numbers',
  guard: 'Guard',
  webhooks: 'Webhooks',
  alerts: 'Alerts',
  other: 'Other',
};

interface FilterBarProps {
  readonly search: URLSearchParams;
  readonly setSearch: (next: URLSearchParams) => void;
  readonly typed: Typed;
  readonly find: (typed: Typed) => void;
}

export function FilterBar({ search, setSearch, typed, find }: FilterBarProps) {
  const [fields, setFields] = useState(typed);
  const [fault, setFault] = useState('');
  function set(name: string, value: string): void {
    const next = new URLSearchParams(search);
    if (value === '') next.delete(name);
    else next.set(name, value);
    setSearch(next);
  }
  function submit(): void {
    const wanted = { who: fields.who.trim(), text: fields.text.trim() };
    const isNumber = looksLikeNumber(wanted.text) || looksLikeNumber(wanted.who);
    setFault(isNumber ? 'The log has no full numbers. Look for the last two digits.' : '');
    if (!isNumber) find(wanted);
  }
  function clear(): void {
    setFields(NOTHING_TYPED);
    setFault('');
    find(NOTHING_TYPED);
    setSearch(new URLSearchParams());
  }
  const time = (name: string, label: string) => (
    <TextInput
      size="xs"
      type="datetime-local"
      label={label}
      value={fieldOfInstant(search.get(name))}
      onChange={(event) => set(name, instantOfField(event.currentTarget.value) ?? '')}
    />
  );
  const isNarrowed = FILTERS.some((name) => search.has(name)) || typed.who !== '' || typed.text !== '';
  return (
    <search>
      <form
        className={css.filters}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <NativeSelect
          size="xs"
          label="About"
          value={search.get('group') ?? ''}
          onChange={(event) => set('group', event.currentTarget.value)}
          data={[
            { value: '', label: 'Everything' },
            ...Object.entries(GROUPS).map(([value, label]) => ({ value, label })),
          ]}
        />
        {time('from', 'From')}
        {time('to', 'To')}
        <TextInput
          size="xs"
          label="Who"
          placeholder="Name or address"
          autoComplete="off"
          maxLength={100}
          value={fields.who}
          onChange={(event) => setFields({ ...fields, who: event.currentTarget.value })}
        />
        <TextInput
          size="xs"
          label="What or to what"
          placeholder="Such as revoked the key"
          autoComplete="off"
          maxLength={100}
          error={fault || undefined}
          value={fields.text}
          onChange={(event) => setFields({ ...fields, text: event.currentTarget.value })}
        />
        <Group gap="xs" className={css.buttons}>
          <Button type="submit" size="xs" variant="default">
            Find
          </Button>
          {isNarrowed && (
            <Button size="xs" variant="subtle" onClick={clear}>
              Clear filters
            </Button>
          )}
        </Group>
      </form>
    </search>
  );
}
