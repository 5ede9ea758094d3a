/**
 * The service's guard over the simulated world: `node test/guard/ours.ts [SEEDS] [SCENARIO...]`, where SEEDS is
 * how many (from 1 on), or the first and the last such as `301-305`.
 */
import { parseLimit } from '../../src/core/verification/limits.ts';
import { RecordedTraffic } from '../../src/guard/recorded/recorded-traffic.ts';
import { type Guard, judgeAll } from './run.ts';
import { scenarios } from './world.ts';

const LIMITS = {
  sendsPerDestination: ['5/10m', '20/1d'].flatMap((text) => parseLimit(text) ?? []),
  requestsPerKey: ['1000/1s'].flatMap((text) => parseLimit(text) ?? []),
};

export function createOurs(onRefusal: (rule: string) => void = () => undefined): Guard {
  const traffic = new RecordedTraffic(LIMITS);
  return (event) => {
    const at = Date.parse(event.at);
    if (event.op === 'verify') {
      const { decision, rule } = traffic.verify({ ...event, at, ip: event.client?.ip });
      if (decision === 'refuse') onRefusal(rule);
      return decision;
    }
    if (event.op === 'confirm') traffic.confirm(event.ref, at, event.ok);
    return 'allow';
  };
}

function main([seeds = '5', ...names]: readonly string[]): void {
  const plans = scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const plan of plans.length === 0 ? [] : [plans]) {
    const rules = new Map<string, number>();
    const note = (rule: string) => rules.set(rule, (rules.get(rule) ?? 0) + 1);
    judgeAll(() => createOurs(note), plan, readSeeds(seeds), console.log);
    console.log(
      [...rules]
        .sort((a, b) => b[1] - a[1])
        .map(([rule, times]) => `${rule} ${times}`)
        .join(', '),
    );
  }
}

function readSeeds(text: string): number[] {
  const bounds = text.includes('-') ? text.split('-').map(Number) : [1, Number(text)];
  const [first = Number.NaN, last = Number.NaN] = bounds;
  if (!Number.isInteger(first) || !Number.isInteger(last)) throw new Error('SEEDS: expected 5 or 301-305.');
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

if (import.meta.main) main(process.argv.slice(2));
