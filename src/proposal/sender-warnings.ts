/** Senders that do not arrive as they are, by the rules of each country that is sent to (`core/countries/`). */
import { CARRIER_TYPES } from '../carriers/all-types.ts';
import type { Config } from '../config/table/schema.ts';
import type { Warning } from '../config/warnings.ts';
import { cite, describeFates, describeGroups, listCountries } from '../core/countries/describe.ts';
import { COUNTRY_RULES, type CountryRule } from '../core/countries/rules.ts';
import { findNameFault, isForeignNumber, isFullNumber } from '../core/countries/sender-fault.ts';
import { typeOf } from '../options/carrier-type.ts';
import type { ConfiguredSenders } from '../options/senders.ts';
import { countriesOver } from './reached.ts';

type Settings = Pick<Config, 'carriers' | 'routes' | 'guard'>;

/** A sender, and where it is used. */
interface UsedSender {
  readonly sender: string;
  readonly countries: readonly string[];
  /** It was set for the country, and is taken to be registered there: only the one for all others gets there by mistake. */
  readonly isOwn: boolean;
}

/** Names that are registered in Hong Kong begin with it, and no others do. */
const MARK = '#';
const MARKED = 'HK';

/** One for each carrier, sender and kind of rule. */
export function* warnOfSenders({ carriers, ...reach }: Settings): Generator<Warning> {
  for (const [name, options] of Object.entries(carriers)) {
    const countries = countriesOver([name], reach);
    for (const senders of typeOf(CARRIER_TYPES, options).sendersOf?.(options) ?? []) {
      if (!senders.channels.includes('sms')) continue;
      const place = ['carriers', name, ...senders.group].join('.');
      for (const { key, ...used } of listUsed(place, senders, countries)) {
        const details = senders.isName(used.sender) ? warnOfName(used) : warnOfNumber(used);
        for (const detail of details) yield { key, detail };
      }
    }
  }
}

function listUsed(
  place: string,
  { short, one, senders = {} }: ConfiguredSenders,
  countries: readonly string[],
): (UsedSender & { readonly key: string })[] {
  const { default: standard = one, ...own } = senders;
  const used = countries.flatMap((country) => {
    const sender = own[country];
    const key = `${place}.senders.${country}`;
    return sender === undefined ? [] : [{ key, sender, countries: [country], isOwn: true }];
  });
  if (standard === undefined) return used;
  const key = `${place}.${senders.default === undefined ? short : 'senders.default'}`;
  const others = countries.filter((country) => own[country] === undefined);
  return [...used, { key, sender: standard, countries: others, isOwn: false }];
}

function* warnOfName({ sender, countries, isOwn }: UsedSender): Generator<string> {
  const rules = rulesOf(countries);
  const none = rules.filter(({ names }) => names === 'no');
  if (none.length > 0) {
    const fates = describeFates(none, 'is not delivered as a sender');
    const fix = isOwn ? 'set a number or a short code' : 'set numbers or short codes in senders for these';
    yield `${sender} is a name, and a name ${fates}; ${fix} (${cite(none)})`;
  }
  const registered = isOwn ? [] : rules.filter(({ names }) => names === 'registered');
  if (registered.length > 0) {
    const fates = describeFates(registered, 'may not arrive as sent');
    yield `${sender} is used where names must be registered, and an unregistered one ${fates}; register it and name it in senders, or set numbers where those are senders (${cite(registered)})`;
  }
  const isMarked = sender.startsWith(MARK);
  if (isMarked && countries.some((country) => country !== MARKED)) {
    yield `${sender} begins with ${MARK}, which only names that are registered in ${MARKED} do; set it in senders.${MARKED} alone (${cite(rulesOf([MARKED]))})`;
  }
  const faults = rules.flatMap((rule) => {
    const fault = rule.names === 'no' || isMarked ? undefined : findNameFault(sender, rule);
    return fault === undefined ? [] : [{ rule, fault }];
  });
  if (faults.length > 0) {
    const faulty = faults.map(({ rule }) => rule);
    const wording = new Map(faults.map(({ rule, fault }) => [rule, fault]));
    yield `${sender} may be refused as a name, which must have ${describeGroups(faulty, (rule) => wording.get(rule) ?? '')} (${cite(faulty)})`;
  }
}

function* warnOfNumber({ sender, countries, isOwn }: UsedSender): Generator<string> {
  if (!isFullNumber(sender)) return;
  const rules = rulesOf(countries);
  const having = (numbers: NonNullable<CountryRule['numbers']>) =>
    rules.filter((rule) => rule.numbers === numbers);
  const none = having('no');
  if (none.length > 0) {
    yield `${sender} is a number, and numbers are replaced or not delivered as senders in ${listCountries(none)}; set short codes, or registered names where names are senders (${cite(none)})`;
  }
  const registered = isOwn ? [] : having('registered');
  if (registered.length > 0) {
    yield `${sender} is used where numbers must be registered: ${listCountries(registered)}; register it and name it in senders (${cite(registered)})`;
  }
  const foreign = having('foreign-blocked').filter(({ country }) => isForeignNumber(sender, country));
  if (foreign.length > 0) {
    yield `${sender} is a number of another country, and those are blocked or replaced in ${listCountries(foreign)}; set a number of the country, a short code or a registered name (${cite(foreign)})`;
  }
}

function rulesOf(countries: readonly string[]): CountryRule[] {
  return [...COUNTRY_RULES.values()].filter(({ country }) => countries.includes(country));
}
