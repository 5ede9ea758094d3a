import type { Key } from '#contract/keys.ts';
import { channelLabel } from '../../format/channel.ts';
import { countryNames } from '../../format/country.ts';
import { formatMinute } from '../../format/time.ts';

export const STATUS = {
  overlap: { color: 'yellow', label: 'Overlapping' },
  expired: { color: 'gray', label: 'Expired' },
  revoked: { color: 'gray', label: 'Revoked' },
} as const;

export const endOf = ({ expires_at, revoked_at }: Pick<Key, 'expires_at' | 'revoked_at'>): string => {
  const end = revoked_at ?? expires_at;
  return end === null ? 'Never' : formatMinute(end);
};

/** Short: a row has one line. */
export function boundsOf({ restrictions: { channels, countries, sources }, custom_codes }: Key): string {
  const bounds = [
    channels.length > 0 && `${channels.map(channelLabel).join(', ')} only`,
    countries.length > 0 && counted(countryNames(countries), 'countries'),
    sources.length > 0 && counted(sources, 'sources'),
    custom_codes && 'may bring codes',
  ].filter((bound) => bound !== false);
  return bounds.length === 0 ? 'None' : bounds.join('; ');
}

const counted = ([first = '', ...more]: readonly string[], what: string): string =>
  more.length === 0 ? first : `${more.length + 1} ${what}`;
