/** Opens a link: connects, then binds. */
import type { Clock } from '../../core/seams/clock.ts';
import { connect } from './connection.ts';
import { type Deliver, SmppLink } from './link.ts';
import type { LinkOptions } from './options.ts';
import type { BindRole } from './protocol/body.ts';
import { commandStatusName, isHopelessBind, STATUS } from './protocol/status.ts';

export type Opening =
  | { readonly kind: 'bound'; readonly link: SmppLink }
  /** `hopeless`: trying again soon will not help, because a person has to change something. */
  | { readonly kind: 'failed'; readonly reason: string; readonly hopeless: boolean };

/** Opens one link. `signal` cancels until it is bound. */
export async function openLink(
  clock: Clock,
  options: LinkOptions,
  role: BindRole,
  deliver: Deliver,
  signal: AbortSignal,
): Promise<Opening> {
  let link: SmppLink;
  try {
    link = new SmppLink(clock, await connect(clock, options, signal), options, deliver);
  } catch (error) {
    return { kind: 'failed', reason: describe(error), hopeless: false };
  }
  const abort = () => link.destroy('stopped');
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const answer = await link.bind(role);
  signal.removeEventListener('abort', abort);
  if (answer.kind === 'response' && answer.status === STATUS.ok) return { kind: 'bound', link };

  link.destroy('not bound');
  const reason = await link.closed;
  if (answer.kind !== 'response') return { kind: 'failed', reason: `bind: ${reason}`, hopeless: false };
  return {
    kind: 'failed',
    reason: `bind: ${commandStatusName(answer.status)}`,
    hopeless: isHopelessBind(answer.status),
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'connection failed';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
