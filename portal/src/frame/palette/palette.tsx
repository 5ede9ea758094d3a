import { Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import type { Me } from '#contract/me.ts';
import { looksLikeNumber } from '../../format/number-like.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { leave } from '../../parts/unsaved/leave.ts';
import css from './palette.module.css';
import type { Place } from './places.ts';
import { seekNumber } from './sought-number.ts';
import { usePlaces } from './use-places.ts';

const STEPS = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

interface PaletteProps {
  readonly me: Me;
  readonly onClose: () => void;
}

/** A combobox whose list stays open (WAI-ARIA APG): the focus stays in the field, and the arrows choose. */
export default function Palette({ me, onClose }: PaletteProps) {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { places, hint } = usePlaces(me, text);
  const list = useId();
  const at = Math.min(chosen, places.length - 1);
  const optionId = (index: number) => `${list}-${index}`;

  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, at]);

  function go({ to }: Place): void {
    onClose();
    // A number is looked for only by somebody who goes there.
    leave(document, () => {
      if (looksLikeNumber(text)) seekNumber(text.trim());
      navigate(to);
    });
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS.get(event.key);
    const place = places[at];
    if (step !== undefined && places.length > 0) {
      event.preventDefault();
      setChosen((at + step + places.length) % places.length);
    } else if (event.key === 'Enter' && place !== undefined && !event.nativeEvent.isComposing) {
      event.preventDefault();
      go(place);
    }
  }

  return (
    <Dialog title="Jump to" onClose={onClose}>
      <TextInput
        label="A page or what it is for, an account, a key, a verification or a number"
        description="A key by its name or beginning, a verification by its id or its full number."
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={places.length > 0}
        {...(places.length > 0 && { 'aria-controls': list, 'aria-activedescendant': optionId(at) })}
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      {places.length > 0 && (
        <div role="listbox" id={list} aria-label="Places" className={css.places}>
          {places.map((place, index) => (
            <button
              key={place.to}
              type="button"
              role="option"
              id={optionId(index)}
              tabIndex={-1}
              aria-selected={index === at}
              className={css.place}
              onClick={() => go(place)}
              onPointerMove={() => setChosen(index)}
            >
              <span>{place.name}</span>
              <span className={css.kind}>{place.kind}</span>
            </button>
          ))}
        </div>
      )}
      <Text size="sm" c="dimmed" className={css.hint} role="status">
        {hint ?? (places.length === 0 ? 'Nothing has this name.' : countOf(places.length))}
      </Text>
    </Dialog>
  );
}

const countOf = (count: number): string => (count === 1 ? 'One place.' : `${count} places.`);
