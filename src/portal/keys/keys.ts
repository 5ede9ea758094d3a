/** How the portal shows API keys and checks their limits. */
import { type ApiKey, type KeyRestrictions, UNRESTRICTED } from '../../core/accounts/api-key.ts';
import type { FieldError, FieldFault } from '../../core/errors/field-error.ts';
import type { Cell } from '../../core/text/csv.ts';
import { isAddressBlock } from '../../http/proxy/peer.ts';
import { formatInstant, formatOptional } from '../../operations/instant.ts';
import { versionOf } from '../../operations/version.ts';
import { checkCountries } from '../check-countries.ts';
import type { Key } from './contract.ts';

export function showKey(key: ApiKey, now: number): Key {
  const { channels, countries, sources } = key.restrictions;
  return {
    id: key.id,
    name: key.name,
    test: key.test,
    prefix: key.prefix,
    created_at: formatInstant(key.createdAt),
    created_by: key.createdBy,
    last_used_at: formatOptional(key.lastUsedAt),
    last_used_from: key.lastUsedFrom,
    expires_at: formatOptional(key.expiresAt),
    revoked_at: formatOptional(key.revokedAt),
    restrictions: { channels: [...channels], countries: [...countries], sources: [...sources] },
    custom_codes: key.customCodes,
    replaced_by: key.replacedBy,
    version: keyVersion(key),
    status: statusOf(key, now),
  };
}

export const keyVersion = ({ name, expiresAt, restrictions, customCodes, replacedBy }: ApiKey): string =>
  versionOf([name, expiresAt, restrictions, customCodes, replacedBy]);

function statusOf({ revokedAt, expiresAt, replacedBy }: ApiKey, now: number): Key['status'] {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return replacedBy === null ? 'active' : 'overlap';
}

/** Whether requests with it are taken now. */
export const isInUse = (key: ApiKey, now: number): boolean =>
  ['active', 'overlap'].includes(statusOf(key, now));

/** Of a file for spreadsheets. */
export const KEY_COLUMNS = [
  ...['id', 'name', 'kind', 'prefix', 'status', 'created_at', 'created_by', 'last_used_at', 'last_used_from'],
  ...['expires_at', 'revoked_at', 'channels', 'countries', 'sources', 'custom_codes', 'replaced_by'],
];

export const keyCells = ({ restrictions, ...key }: Key): readonly Cell[] => [
  ...[key.id, key.name, key.test ? 'test' : 'live', key.prefix, key.status, key.created_at, key.created_by],
  ...[key.last_used_at, key.last_used_from, key.expires_at, key.revoked_at],
  ...[restrictions.channels, restrictions.countries, restrictions.sources].map((list) => list.join(' ')),
  ...[String(key.custom_codes), key.replaced_by],
];

const PAST: FieldError = { field: 'expires_at', code: 'not_in_future', detail: 'must be in the future' };
const NO_ADDRESS: FieldFault = {
  code: 'not_an_address',
  detail: 'must be an IP address or a network such as 192.0.2.0/24',
};

/** Also refuses times that do not exist for us, such as a leap second. */
export function checkBounds(
  {
    expiresAt,
    restrictions = UNRESTRICTED,
  }: { readonly expiresAt?: number | null | undefined; readonly restrictions?: KeyRestrictions | undefined },
  now: number,
): FieldError[] {
  const isPast = typeof expiresAt === 'number' && !(expiresAt > now);
  return [
    ...(isPast ? [PAST] : []),
    ...checkCountries(restrictions.countries, 'restrictions/countries'),
    ...restrictions.sources.flatMap((source, index) =>
      isAddressBlock(source) ? [] : { ...NO_ADDRESS, field: `restrictions/sources/${index}` },
    ),
  ];
}

/** Without repetitions. */
export function normalizeRestrictions({ channels, countries, sources }: KeyRestrictions): KeyRestrictions {
  return {
    channels: [...new Set(channels)],
    countries: [...new Set(countries)].sort(),
    sources: [...new Set(sources)],
  };
}
