import { Button, Group, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { seekNumber, useSoughtNumber } from '../../frame/palette/sought-number.ts';
import css from './page.module.css';

interface SearchBarProps {
  readonly query: string;
  readonly search: (query: string) => void;
}

export function SearchBar({ query, search }: SearchBarProps) {
  const [typed, setTyped] = useState('');
  const sought = useSoughtNumber();
  useEffect(() => {
    if (sought === '') return;
    seekNumber('');
    setTyped(sought);
    search(sought);
  }, [sought, search]);
  const clear = () => {
    setTyped('');
    search('');
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(typed.trim());
        }}
      >
        <Group align="flex-start" gap="xs" mb="md">
          <TextInput
            label="Find by id or full number"
            description="A number is never put into this page’s address."
            placeholder="+447700900123"
            autoComplete="off"
            maxLength={300}
            w="24rem"
            maw="100%"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" className={css.find}>
            Find
          </Button>
          {query !== '' && (
            <Button variant="subtle" className={css.find} onClick={clear}>
              Show all again
            </Button>
          )}
        </Group>
      </form>
    </search>
  );
}
