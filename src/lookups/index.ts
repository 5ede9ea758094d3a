/** Makes the look-ups of a configuration. */
import type { LookupOptions } from '../config/table/lookup-options.ts';
import type { Lookups } from '../core/lookups/lookup.ts';
import { AskedProvider, type LookupPorts } from './asked-provider.ts';
import { createRecycling, createSimSwap } from './camara.ts';
import { createHttp } from './http.ts';
import type { LookupProvider } from './provider.ts';
import { createTelnyx } from './telnyx.ts';
import { Turns } from './turns.ts';
import { createTwilio } from './twilio.ts';

export interface OpenLookups extends Lookups, Disposable {
  readonly checks: readonly Pick<AskedProvider, 'name' | 'check'>[];
}

const MILLIONTHS = 1_000_000;

/** Opens no connection yet. */
export function openLookups(
  lookups: Readonly<Record<string, LookupOptions>>,
  ports: LookupPorts,
): OpenLookups {
  const made = Object.entries(lookups).map(([name, options]) => {
    const { price, fail, timeout, remember, for: countries } = options;
    const bounds = {
      name,
      price: Math.round(price * MILLIONTHS),
      failsClosed: fail === 'closed',
      timeout,
      remember,
    };
    return {
      countries,
      lookup: new AskedProvider(bounds, providerOf(options, ports), ports),
    };
  });
  const turns = new Turns();
  return {
    that: (country, wanted) =>
      made.flatMap(({ countries, lookup }) =>
        (countries === undefined || countries.includes(country)) &&
        wanted.some((fact) => lookup.tells.has(fact))
          ? [lookup]
          : [],
      ),
    inTurn: (of, run) => turns.take(of, run),
    all: made.map(({ countries, lookup: { name, price, failsClosed, tells } }) => ({
      ...{ name, price, failsClosed, tells },
      countries,
    })),
    checks: made.map(({ lookup }) => lookup),
    [Symbol.dispose]() {
      for (const { lookup } of made) lookup.close();
    },
  };
}

function providerOf(options: LookupOptions, { clock, random }: LookupPorts): LookupProvider {
  const now = () => clock.wall();
  const uuid = () => random.uuid();
  switch (options.type) {
    case 'camara-sim-swap':
      return createSimSwap(options, uuid);
    case 'camara-number-recycling':
      return createRecycling(options, uuid);
    case 'twilio':
      return createTwilio(options, now);
    case 'telnyx':
      return createTelnyx(options, now);
    case 'http':
      return createHttp(options, now);
  }
}
