/** Channels that messages never go on by, or all go on by, because nobody hears what became of those before. */
import { CARRIER_TYPES } from '../carriers/all-types.ts';
import type { Config } from '../config/table/schema.ts';
import type { Warning } from '../config/warnings.ts';
import type { Route } from '../core/sending/routing.ts';
import { formatDuration } from '../core/verification/limits.ts';
import { typeOf } from '../options/carrier-type.ts';

type Settings = Pick<Config, 'carriers' | 'routes' | 'publicUrl'>;

/**
 * One for each `then` and each carrier before it that does not report, but could. Without `after` also for each that never reports, or reports
 * too late what it did not deliver.
 */
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
      const { after } = next;
      const over = channel;
      const served = names ?? routes.flatMap((each) => (each.channel === over ? each.carriers : []));
      for (const name of new Set(served)) {
        const options = carriers[name];
        if (options === undefined) continue;
        const lack = typeOf(CARRIER_TYPES, options).lacksForReports?.(options, channel, { publicUrl }) ?? [];
        if (lack.length === 0) continue;
        if (after === undefined) yield { key: place, detail: describeEnd(name, lack) };
        else if (typeof lack !== 'string')
          yield { key: `${place}.after`, detail: describeBoth(name, lack, after) };
      }
    }
  }
}

type Lack = readonly string[] | 'never' | 'too-late';

/** Without `after`. */
function describeEnd(name: string, lack: Lack): string {
  if (lack === 'too-late')
    return `${name} says that it did not deliver a message only when its code has expired, so what it took does not go on by this channel; set after here`;
  const receipts = typeof lack === 'string' ? '' : `, or ${optionsFor(name, lack)} for its receipts`;
  return `${name} reports nothing of a message that it took, so that one does not go on by this channel; set after here${receipts}`;
}

function describeBoth(name: string, lack: readonly string[], after: number): string {
  return `${name} reports nothing of a message that it took, so after ${formatDuration(after)} everybody who has not confirmed gets a second one by this channel, also where the first has arrived; set ${optionsFor(name, lack)} for its receipts`;
}

const optionsFor = (name: string, lack: readonly string[]): string =>
  lack.map((option) => (option === 'publicUrl' ? option : `carriers.${name}.${option}`)).join(' and ');
