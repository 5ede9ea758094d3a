import { useState } from 'react';

const KEY = 'countersign-start-dismissed';

/** Whether this person has put the first steps of this account away, in this browser; and what does that. */
export function useDismissed(personId: string, accountId: string): [boolean, () => void] {
  const mine = `${personId}/${accountId}`;
  const [those, setThose] = useState(read);
  return [
    those.includes(mine),
    () => {
      const next = [...read(), mine];
      localStorage.setItem(KEY, next.join(' '));
      setThose(next);
    },
  ];
}

const read = (): readonly string[] => (localStorage.getItem(KEY) ?? '').split(' ');
