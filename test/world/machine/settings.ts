/** The configuration of a world's service. */
import { loadText } from '../../../src/config/fixture.ts';
import type { Config } from '../../../src/config/table/schema.ts';
import { THEN } from '../../../src/core/sending/routing.ts';
import { hooksOf } from '../../hooks/systems.ts';
import type { FixedOptions, LiveOptions } from '../options.ts';
import { carriersOf, FURTHER_CHANNELS, routeOf } from '../routes.ts';
import { SYSTEMS } from './hooks.ts';
import { providerOptions } from './providers.ts';

const SECRET = 'kq3Zt9vLw2Xb8Rm5Yc7Pd4Hs6Jf1Ng0T';

/** Reading a configuration takes longer than most steps. */
const read = new Map<string, Config>();

const CHANNELS = ['sms', 'voice', ...FURTHER_CHANNELS] as const;
/** A missed call has no text, and ends with the code. */
const JSON_BODY = { to: '{{to}}', text: '{{text}}', code: '{{code}}' };

/** What CAMARA's `message` must be. */
export const NAMED_TEXT = '{{code}} is your code.';

/** `hookKey` is the API key with which identity systems have codes sent, `accounts` has the ids of those that are there. */
export function configOf(
  fixed: FixedOptions,
  live: LiveOptions,
  { hookKey, accounts }: { readonly hookKey: string; readonly accounts: ReadonlyMap<string, string> },
): Config {
  const { code, limits, retention } = fixed;
  const url = (name: string) => `https://${name}.example/`;
  const text = JSON.stringify({
    secret: SECRET,
    currency: 'EUR',
    // Plain HTTP behind a proxy: TLS is not what is looked at here.
    trustProxy: ['127.0.0.1'],
    log: { level: 'debug' },
    code: { length: code.length, validFor: durationOf(code.validFor), guesses: code.guesses },
    limits,
    accounts: Object.fromEntries(
      [...accounts].map(([name, id]) => {
        const { sends, wrong } = live.ceilings?.[name] ?? {};
        return [id, { limits: { sendsPerDestination: sends, failedGuessesPerDestination: wrong } }];
      }),
    ),
    retention: {
      verifications: durationOf(retention.verifications),
      events: durationOf(retention.events),
    },
    messages: { named: { camara: { en: { sms: NAMED_TEXT } } } },
    guard: { mode: fixed.guard, countries: live.countries },
    carriers: Object.fromEntries(
      carriersOf(live).map(({ carrier, price, cap }) => [
        carrier,
        {
          ...{ type: 'http', url: url(carrier), json: JSON_BODY },
          ...{ channels: CHANNELS, prices: { default: price } },
          ...(cap !== undefined && { dailyCap: cap }),
        },
      ]),
    ),
    routes: CHANNELS.filter((channel) => routeOf(live, channel) !== undefined).map((channel) => ({
      channel,
      carriers: namesOf(routeOf(live, channel) ?? []),
      ...(live.routeCap !== undefined && { dailyCap: live.routeCap }),
      ...(live.next?.from === channel && { [THEN]: nextOf(live.next) }),
    })),
    budgets: live.budgets,
    hooks: hooksOf(SYSTEMS, hookKey),
    lookups: Object.fromEntries((fixed.lookups ?? []).map((it) => [it.name, providerOptions(it)])),
  });
  const config = read.get(text) ?? loadText(text);
  read.set(text, config);
  return config;
}

const namesOf = (route: LiveOptions['route']) => route.map(({ carrier }) => carrier);

const nextOf = ({ to, after, carriers }: NonNullable<LiveOptions['next']>) => ({
  channel: to,
  ...(after !== undefined && { after: durationOf(after) }),
  ...(carriers && { carriers: namesOf(carriers) }),
});

const durationOf = (ms: number): string => `${ms / 1_000}s`;
