/** Poor guards, to compare a good one with. */
import type { Guard } from './run.ts';
import type { WorldEvent } from './world/event.ts';

const WINDOW = 10 * 60_000;

export function allowAll(): Guard {
  return () => 'allow';
}

/** Five messages to one number in any ten minutes. */
export function capNumbers(): Guard {
  const sent = new Map<string, number[]>();
  return (event) => {
    if (event.op !== 'verify') return 'allow';
    const now = Date.parse(event.at);
    const recent = (sent.get(event.destination) ?? []).filter((at) => at > now - WINDOW);
    if (recent.length >= 5) return 'refuse';
    sent.set(event.destination, [...recent, now]);
    return 'allow';
  };
}

/** Refuses a beginning of numbers while fewer than 35 % of its last messages were confirmed. */
export function askConversion(): Guard {
  const ranges = new Map<string, { sent: number; confirmed: number }>();
  const refs = new Map<string, string>();
  return (event: WorldEvent) => {
    if (event.op === 'receipt') return 'allow';
    if (event.op === 'confirm') {
      const range = ranges.get(refs.get(event.ref) ?? '');
      if (range !== undefined && event.ok) range.confirmed++;
      refs.delete(event.ref);
      return 'allow';
    }
    const beginning = event.destination.slice(0, 7);
    const range = ranges.get(beginning) ?? { sent: 0, confirmed: 0 };
    ranges.set(beginning, range);
    if (range.sent >= 20 && range.confirmed < 0.35 * range.sent) {
      // Forgets with each request, so that it tries again some day.
      range.sent *= 0.99;
      range.confirmed *= 0.99;
      return 'refuse';
    }
    range.sent++;
    refs.set(event.ref, beginning);
    return 'allow';
  };
}
