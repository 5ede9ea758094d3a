/**
 * Numbers, codes and passwords go to carriers unencrypted only if the configuration allows it or the carrier is on this
 * machine.
 */
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';
import { isLoopback } from './loopback.ts';

/** Types without the option `insecure` take an http address only on this machine. */
export function* checkCleartext({ carriers }: Config): Generator<RuleFinding> {
  for (const [name, options] of Object.entries(carriers)) {
    const { url = '', insecure } = options;
    if (insecure === true || !/^http:/i.test(url)) continue;
    if (isLoopback(URL.parse(url)?.hostname ?? '')) continue;
    yield {
      key: ['carriers', name, 'url'],
      wrong: 'is http to another machine: anyone on the network path can read numbers, codes and passwords',
      expected: 'https, or http to this machine',
      fix: `use https, or set carriers.${name}.insecure: true if the network is private`,
    };
  }
}
