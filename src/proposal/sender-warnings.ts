/** Senders that are names, in countries where names do not work, or only registered ones do. */
import { CARRIER_TYPES } from '../carriers/registry.ts';
import type { Config } from '../config/table/schema.ts';
import type { Warning } from '../config/warnings.ts';
import { carriersTo } from '../core/sending/reach.ts';
import { typeOf } from '../options/carrier-type.ts';
import type { ConfiguredSenders } from '../options/senders.ts';
import { NO_NAMES, REGISTERED_NAMES } from './sender-countries.ts';

type Settings = Pick<Config, 'carriers' | 'routes' | 'guard'>;

/**
 * One for each carrier, list and sender. A name that was set for a country is taken to be registered there: only the one for
 * all others gets there by mistake.
 */
export function* warnOfSenders({ carriers, routes, guard }: Settings): Generator<Warning> {
  for (const [name, options] of Object.entries(carriers)) {
    const reached = (countries: readonly string[]) =>
      countries.filter(
        (country) =>
          (guard.countries.length === 0 || guard.countries.includes(country)) &&
          carriersTo(routes, 'sms', country).has(name),
      );
    for (const senders of typeOf(CARRIER_TYPES, options).sendersOf?.(options) ?? []) {
      if (!senders.channels.includes('sms')) continue;
      const place = ['carriers', name, ...senders.group].join('.');
      yield* warnOfNames(place, senders, reached);
    }
  }
}

function* warnOfNames(
  place: string,
  { short, one, senders = {}, isName }: ConfiguredSenders,
  reached: (countries: readonly string[]) => readonly string[],
): Generator<Warning> {
  const { default: standard = one, ...own } = senders;
  const standardKey = senders.default === undefined ? `${place}.${short}` : `${place}.senders.default`;
  for (const { source, countries } of NO_NAMES) {
    const served = reached(countries);
    const wrong = served.filter((country) => own[country] !== undefined && isName(own[country]));
    for (const country of wrong) {
      const detail = `${own[country]} is a name, and names are not delivered as senders in ${country}; set a number or a short code (${source})`;
      yield { key: `${place}.senders.${country}`, detail };
    }
    const others = served.filter((country) => own[country] === undefined);
    if (standard === undefined || !isName(standard) || others.length === 0) continue;
    const detail = `${standard} is a name, and names are not delivered as senders in ${others.join(', ')}; set numbers or short codes for those that you serve in senders (${source})`;
    yield { key: standardKey, detail };
  }
  if (standard === undefined || !isName(standard)) return;
  for (const { source, countries } of REGISTERED_NAMES) {
    const others = reached(countries).filter((country) => own[country] === undefined);
    if (others.length === 0) continue;
    const detail = `names must be registered in ${others.join(', ')}, and ${standard} is used there; register it and name it in senders, or set numbers (${source})`;
    yield { key: standardKey, detail };
  }
}
