/** Providers that are asked what they know of a number, over a connection that is not there. */
import type { createTransport, GatewayAnswer } from '../../../src/carriers/gateway/transport.ts';
import type { Clock } from '../../../src/core/seams/clock.ts';
import type { Line, Lookup, ProviderConduct, Questioned } from '../lookup.ts';

/** Sooner than any deadline. */
export const SLOW_ANSWER_MS = 1_000;
/** In each answer, and to be nowhere else. */
export const SAID = 'zephyr-roaming';
const KINDS = { mobile: 'CELL', voip: 'VOIP', landline: 'FIXED' };

const BAD: Line = { type: 'voip', swapped: 1, ported: 1 };

/** As the configuration has it: whatever it can tell is read from the same answer. */
export function providerOptions({ name, tells, price, closed, for: countries, remember }: Lookup): object {
  const told = {
    lineType: {
      path: 'line.kind',
      values: Object.fromEntries(kindsOf().map(([type, kind]) => [kind, type])),
    },
    swapped: { path: 'sim.swapped', equals: ['Y'] },
    ported: { path: 'number.ported', equals: ['true'] },
    recycled: { path: 'number.recycled', equals: [true] },
  };
  return {
    type: 'http',
    url: `https://${name}.example/v1/numbers/{{toDigits}}?hours={{hours}}&ported={{portedHours}}&since={{since}}`,
    ...Object.fromEntries(tells.map((fact) => [fact, told[fact]])),
    ...{ price, fail: closed ? 'closed' : 'open', remember: `${remember / 1_000}s` },
    ...(countries && { for: countries }),
  };
}
const kindsOf = () => Object.entries(KINDS);

/** They outlive the processes that ask them. */
export class Providers {
  readonly #conducts = new Map<string, ProviderConduct>();
  readonly #lines = new Map<string, Line>();
  readonly #questioned: (questioned: Questioned) => void;

  constructor(questioned: (questioned: Questioned) => void) {
    this.#questioned = questioned;
  }

  conduct(lookup: string, conduct: ProviderConduct): void {
    this.#conducts.set(lookup, conduct);
  }

  /** From now on this is so of a number, and all of them know. */
  know(number: string, line: Line): void {
    this.#lines.set(number, line);
  }

  /** As a process has its connections to them opened. */
  connectFrom =
    (process: string): typeof createTransport =>
    (clock, origin) => ({
      send: async ({ path }, { signal }) => {
        const answer = await this.#answer(process, new URL(path, origin), clock, signal);
        return answer === undefined
          ? { kind: 'failed', reason: 'timed out', unclear: true }
          : { kind: 'answered', answer };
      },
      probe: async () => {},
      close: () => {},
    });

  #answer(
    process: string,
    { hostname, pathname, searchParams }: URL,
    clock: Pick<Clock, 'after'>,
    signal: AbortSignal,
  ): GatewayAnswer | undefined | Promise<GatewayAnswer | undefined> {
    const lookup = hostname.replace(/\..*/, '');
    const number = `+${pathname.replace(/^.*\//, '')}`;
    const [hours = '', ported = '', since = ''] = ['hours', 'ported', 'since'].map(
      (it) => searchParams.get(it) ?? '',
    );
    const did = this.#conducts.get(lookup) ?? 'answers';
    const line = did === 'mistaken' ? BAD : (this.#lines.get(number) ?? {});
    const said = did === 'knows not' ? {} : saidOf(line, hours, ported, since);
    this.#questioned({ lookup, process, number, hours, ported, since, did, said });
    const answer = (status: number): GatewayAnswer => ({ status, headers: {}, body: bodyOf(said) });
    switch (did) {
      case 'answers':
      case 'mistaken':
      case 'knows not':
        return answer(200);
      case 'slow':
        return new Promise((resolve) => {
          clock.after(SLOW_ANSWER_MS, () => resolve(answer(200)));
        });
      case 'fails':
        return answer(500);
      case 'refuses':
        return answer(403);
      case 'hung':
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(undefined), { once: true });
        });
    }
  }
}

/** What is true of a line, as far as it is asked about. */
const saidOf = (
  { type, swapped, ported, recycled }: Line,
  hours: string,
  portedHours: string,
  since: string,
): Questioned['said'] => ({
  ...(type && { lineType: type }),
  ...(hours !== '' && { swapped: swapped !== undefined && swapped <= Number(hours) }),
  ...(portedHours !== '' && { ported: ported !== undefined && ported <= Number(portedHours) }),
  ...(since !== '' && { recycled: recycled === true }),
});

const bodyOf = ({ lineType, swapped, ported, recycled }: Questioned['said']): string =>
  JSON.stringify({
    ...(lineType && { line: { kind: KINDS[lineType] } }),
    ...(swapped !== undefined && { sim: { swapped: swapped ? 'Y' : 'N' } }),
    number: { ...(ported !== undefined && { ported }), ...(recycled !== undefined && { recycled }) },
    note: SAID,
  });
