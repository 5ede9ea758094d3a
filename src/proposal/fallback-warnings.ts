/** Channels that messages never go on by, because nobody hears that those before did not reach. */
import { CARRIER_TYPES } from '../carriers/registry.ts';
import type { Config } from '../config/table/schema.ts';
import type { Warning } from '../config/warnings.ts';
import type { Route } from '../core/sending/routing.ts';
import { typeOf } from '../options/carrier-type.ts';

type Settings = Pick<Config, 'carriers' | 'routes' | 'publicUrl'>;

/** One for each `then` without `after` and each carrier before it that does not report, or reports too late. */
export function* warnOfFallbacks({ carriers, routes, publicUrl }: Settings): Generator<Warning> {
  for (const [index, route] of routes.entries()) {
    let place = `routes[${index}]`;
    let {
      channel,
      carriers: names,
      then: next,
    }: Pick<Route, 'channel' | 'then'> & { carriers?: readonly string[] } = route;
    for (; next !== undefined; { channel, carriers: names, then: next } = next) {
      place += '.then';
      if (next.after !== undefined) continue;
      const over = channel;
      const served = names ?? routes.flatMap((each) => (each.channel === over ? each.carriers : []));
      for (const name of new Set(served)) {
        const options = carriers[name];
        if (options === undefined) continue;
        const lack = typeOf(CARRIER_TYPES, options).lacksForReports?.(options, channel, { publicUrl }) ?? [];
        if (lack.length === 0) continue;
        yield { key: place, detail: `${describe(name, lack)}; set after here${remedy(name, lack)}` };
      }
    }
  }
}

type Lack = readonly string[] | 'never' | 'too-late';

function describe(name: string, lack: Lack): string {
  return lack === 'too-late'
    ? `${name} says that it did not deliver a message only when its code has expired, so what it took does not go on by this channel`
    : `${name} reports nothing of a message that it took, so that one does not go on by this channel`;
}

function remedy(name: string, lack: Lack): string {
  if (typeof lack === 'string') return '';
  const missing = lack.map((option) => (option === 'publicUrl' ? option : `carriers.${name}.${option}`));
  return `, or ${missing.join(' and ')} for its receipts`;
}
