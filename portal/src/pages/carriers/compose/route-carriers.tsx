import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { listOf } from '../../../api/problem.ts';
import { nameOfRow, withoutFields } from '../../../parts/form/faults.ts';
import { useFaults } from '../../../parts/form/form.tsx';
import css from './compose.module.css';
import { writePair } from './rows.ts';

interface RouteCarriersProps {
  /** The carrier that is being added; undefined if only a route is. */
  readonly added: string | undefined;
  /** The carriers that are there. */
  readonly known: readonly string[];
}

/** Stands for the carrier that is being added: its name may still change. */
const ADDED = '';

const LISTS = ['route.carriers', 'route.weights'];

/** The carriers of a route in their order, with their shares. */
export function RouteCarriers({ added, known }: RouteCarriersProps) {
  const [chosen, setChosen] = useState<readonly string[]>(added === undefined ? known.slice(0, 1) : [ADDED]);
  const [shares, setShares] = useState<ReadonlyMap<string, string>>(new Map());
  const { faults, correct } = useFaults();
  const nameOf = (carrier: string) => (carrier === ADDED ? (added ?? '') : carrier);
  const offered = [...(added === undefined ? [] : [ADDED]), ...known].filter(
    (each) => !chosen.includes(each),
  );
  const shareOf = (carrier: string) => shares.get(carrier)?.trim() ?? '';
  const shared = chosen.filter((each) => nameOf(each) !== '' && shareOf(each) !== '');
  function choose(next: readonly string[]): void {
    setChosen(next);
    judgeAgain();
  }
  const up = (index: number) =>
    choose(chosen.toSpliced(index, 1).toSpliced(index - 1, 0, chosen[index] ?? ''));
  /** Which share stands at which place has changed. */
  const judgeAgain = () =>
    correct((now) =>
      withoutFields(
        now,
        [...now.keys()].filter((field) => LISTS.includes(listOf(field))),
      ),
    );
  return (
    <fieldset className={css.group}>
      <legend>Carriers</legend>
      <input
        type="hidden"
        name="route.carriers"
        value={chosen
          .map(nameOf)
          .filter((name) => name !== '')
          .join('\n')}
      />
      <input
        type="hidden"
        name="route.weights"
        value={shared.map((each) => writePair([nameOf(each), shareOf(each)])).join('\n')}
      />
      <Text size="xs" c="dimmed">
        The first is asked first, the others if it does not take the message. With shares, each is asked first
        for its share of messages.
      </Text>
      <Stack gap="xs" mt="xs">
        {chosen.map((each, index) => {
          const name = nameOf(each) || 'the new one';
          const place = shared.indexOf(each);
          const field = place < 0 ? undefined : nameOfRow('route.weights', place);
          return (
            <Group key={each} gap="xs" align="center">
              <Text size="sm" miw="8rem">
                {index + 1}. {name}
              </Text>
              <TextInput
                size="xs"
                w="7rem"
                name={field}
                error={field === undefined ? undefined : faults.get(field)?.detail}
                aria-label={`Share of ${name}`}
                placeholder="Share"
                inputMode="numeric"
                autoComplete="off"
                value={shares.get(each) ?? ''}
                onChange={(event) => {
                  setShares(new Map([...shares, [each, event.currentTarget.value]]));
                  judgeAgain();
                }}
              />
              {index > 0 && (
                <Button size="xs" variant="default" aria-label={`Move ${name} up`} onClick={() => up(index)}>
                  Up
                </Button>
              )}
              <Button
                size="xs"
                variant="default"
                aria-label={`Leave out ${name}`}
                onClick={() => choose(chosen.toSpliced(index, 1))}
              >
                Leave out
              </Button>
            </Group>
          );
        })}
        {offered.length > 0 && (
          <NativeSelect
            size="xs"
            w="16rem"
            maw="100%"
            aria-label="Also ask"
            value=""
            onChange={(event) => choose([...chosen, offered[Number(event.currentTarget.value)] ?? ADDED])}
            data={[
              { value: '', label: 'Also ask…' },
              ...offered.map((each, index) => ({
                value: String(index),
                label: nameOf(each) || 'the new one',
              })),
            ]}
          />
        )}
        {LISTS.flatMap((list) => faults.get(list)?.detail ?? []).map((wrong) => (
          <Text key={wrong} size="xs" c="var(--mantine-color-error)" role="alert">
            {wrong}
          </Text>
        ))}
      </Stack>
    </fieldset>
  );
}
