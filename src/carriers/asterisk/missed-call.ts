/** One call that is not to be answered: it rings for a moment, and is hung up. */
import type { Clock } from '../../core/seams/clock.ts';
import { type CallOrder, originate } from './call.ts';
import type { MissedCall } from './ending.ts';
import type { CallLine } from './line.ts';
import type { Rest } from './rest.ts';

export interface MissedCallOrder extends Pick<CallOrder, 'channel' | 'app' | 'endpoint'> {
  /** The number whose end is the code. */
  readonly callerId: string;
  /** How long the networks may take to reach the telephone. */
  readonly reachMs: number;
  /** How long it rings then. */
  readonly ringMs: number;
}

/** Resolves when the call is over, was answered, or has rung long enough. The caller of this function then hangs up. */
export async function missCall(
  clock: Pick<Clock, 'steady'>,
  { reachMs, ...order }: MissedCallOrder,
  line: Pick<CallLine, 'next'>,
  rest: Rest,
): Promise<MissedCall> {
  // If this process dies, Asterisk ends the call, somewhat later.
  const longestMs = reachMs + order.ringMs;
  let until = clock.steady() + reachMs;
  const refusal = await originate({ ...order, ringMs: longestMs, totalMs: longestMs }, rest);
  if (refusal !== undefined) return { ending: refusal, signs: 'none' };
  let signs: MissedCall['signs'] = 'none';
  const see = (sign: 'ringing' | 'early media') => {
    // Many networks send early media while they look for the telephone, and only then it rings.
    if (signs === 'ringing' || signs === sign) return;
    signs = sign;
    until = clock.steady() + order.ringMs;
  };
  for (;;) {
    const event = await line.next(until);
    switch (event.kind) {
      case 'early media':
      case 'ringing':
        see(event.kind);
        break;
      case 'resumed':
        if (event.state === 'Up') return { ending: { kind: 'answered' }, signs };
        if (event.state === 'Ringing') see('ringing');
        break;
      case 'answered':
      case 'lost':
        return { ending: event, signs };
      case 'ended': {
        const { cause, status } = event;
        return { ending: { kind: 'unconnected', cause, status, rang: signs !== 'none' }, signs };
      }
      case 'late':
        return { ending: { kind: 'unanswered', rang: signs !== 'none' }, signs };
      case 'aborted':
        return { ending: { kind: 'lost', reason: 'given up' }, signs };
    }
  }
}
