import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Me } from '#contract/me.ts';
import { call } from '../../api/call.ts';
import { looksLikeNumber } from '../../format/number-like.ts';
import { OWN_PAGES, SECTIONS } from '../../pages.ts';
import { useAccount, useMay } from '../account.ts';
import { keyTextIn, type Place, placesWith, verificationIn } from './places.ts';

const MOST_KEYS = 8;
/** Too short to notice, and long enough not to ask for every letter. */
const TYPING_MS = 150;

interface Places {
  readonly places: readonly Place[];
  /** Shown below them. */
  readonly hint: string | undefined;
}

export function usePlaces(me: Me, text: string): Places {
  const account = useAccount();
  const pages = usePages();
  const keys = useKeysWith(keyTextIn(text));
  const base = `/accounts/${account.id}`;
  if (looksLikeNumber(text)) {
    return {
      places: pages.filter(({ to }) => to === `${base}/verifications`),
      hint: 'It is looked for there, without becoming part of an address.',
    };
  }
  const accounts = me.accounts
    .filter(({ id }) => id !== account.id)
    .map(({ id, name }): Place => ({ kind: 'Account', name, to: `/accounts/${id}/overview` }));
  const id = verificationIn(text);
  const verification: Place[] =
    id === undefined ? [] : [{ kind: 'Verification', name: id, to: `${base}/verifications/${id}` }];
  const places = [
    ...verification,
    ...placesWith(text, pages),
    ...keys.data.map(
      ({ id, name, prefix }): Place => ({
        kind: 'Key',
        name: `${name} (${prefix}…)`,
        to: `${base}/keys?key=${id}`,
      }),
    ),
    ...placesWith(text, accounts),
  ];
  return { places, hint: keys.isError ? 'The keys could not be searched.' : undefined };
}

/** All that this person may open, in the order of the navigation. */
function usePages(): readonly Place[] {
  const { id } = useAccount();
  const may = { viewer: true, developer: useMay('developer'), owner: useMay('owner') };
  const pages = SECTIONS.flatMap(({ name: section, pages }) =>
    pages.map(({ path, name, least, words }) => ({
      ...{ name, least, words: `${section} ${path} ${words}`, to: `/accounts/${id}/${path}` },
    })),
  );
  const own = OWN_PAGES.map(({ path, name, least, words = '' }) => ({ name, least, words, to: `/${path}` }));
  return [...pages, ...own]
    .filter(({ least }) => may[least])
    .map(({ name, words, to }) => ({ kind: 'Page', name, words, to }));
}

function useKeysWith(text: string | undefined) {
  const account = useAccount();
  const wanted = useSettled(text);
  const { data = [], isError } = useQuery({
    queryKey: ['palette', account.id, wanted],
    queryFn: async ({ signal }) => {
      const body = wanted === undefined ? {} : { text: wanted };
      return (await call('POST accounts/:account/keys/search', account.id, { body }, signal)).keys;
    },
    enabled: wanted !== undefined && wanted === text,
    // What was typed is not kept: it may be a key.
    gcTime: 0,
  });
  return { data: wanted !== undefined && wanted === text ? data.slice(0, MOST_KEYS) : [], isError };
}

/** The value once it has stayed the same for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
