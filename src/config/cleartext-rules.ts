/** Numbers, codes and passwords travel to carriers in clear only where somebody said so, or nobody else is on the way. */
import { isLoopback } from './loopback.ts';
import type { RuleFinding } from './problem.ts';
import type { Config } from './schema.ts';

/** Types without the option `insecure` take no address in clear but one of this machine. */
export function* checkCleartext({ carriers }: Config): Generator<RuleFinding> {
  for (const [name, options] of Object.entries(carriers)) {
    const { url = '', insecure } = options;
    if (insecure === true || !/^http:/i.test(url)) continue;
    if (isLoopback(URL.parse(url)?.hostname ?? '')) continue;
    yield {
      key: ['carriers', name, 'url'],
      wrong:
        'leads in clear (http) to another machine: everybody on the way can read numbers, codes and passwords',
      expected: 'https, or http to this machine',
      fix: `write https, or set carriers.${name}.insecure: true if nobody else is on the way`,
    };
  }
}
