/** Keeps one link bound: opens it, waits for its end, opens it again. */
import { type Clock, sleep } from '../../core/seams/clock.ts';
import type { Random } from '../../core/seams/random.ts';
import type { Log } from '../../core/sending/carrier.ts';
import type { Deliver, SmppLink } from './link.ts';
import { openLink } from './opening.ts';
import type { LinkOptions, SmppTimes } from './options.ts';
import type { BindRole } from './protocol/body.ts';

export interface KeeperPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly deliver: Deliver;
  readonly log: Log;
  /** The link is bound. */
  readonly up: (link: SmppLink) => void;
  /** A bound link has ended, or binding has failed. */
  readonly down: (reason: string, link?: SmppLink) => void;
}

/** Resolves after `signal` has aborted and the link is closed. The caller unbinds it. */
export async function keepLink(
  options: LinkOptions,
  role: BindRole,
  { clock, random, deliver, log, up, down }: KeeperPorts,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const opening = await openLink(clock, options, role, deliver, signal);
    if (opening.kind === 'bound' && signal.aborted) {
      await opening.link.unbind();
      return;
    }
    let hopeless = false;
    let blameless = false;
    let reason: string;
    if (opening.kind === 'bound') {
      const boundAt = clock.steady();
      log('info', 'link bound');
      up(opening.link);
      reason = await opening.link.closed;
      down(reason, opening.link);
      // The wait also grows for an SMSC that binds a link only to drop it, or to know nothing of it.
      const { merit } = opening.link;
      const stood = merit !== 'barren' && clock.steady() - boundAt >= options.reconnectMin;
      if (merit === 'carried' || stood) failures = 0;
      blameless = merit === 'lost at a suspect';
    } else {
      ({ reason, hopeless } = opening);
      down(reason);
    }
    if (signal.aborted) return;
    const counted = hopeless ? Number.POSITIVE_INFINITY : blameless ? 0 : failures;
    const retryMs = backoff(options, counted, random);
    if (!blameless) failures += 1;
    log(hopeless ? 'error' : 'warn', 'link down', { reason, retryMs });
    await sleep(clock, retryMs, signal).catch(() => undefined);
  }
}

/** Half of the wait is random, so that links lost together do not reconnect together. */
function backoff({ reconnectMin, reconnectMax }: SmppTimes, failures: number, { fraction }: Random): number {
  const longest = Math.min(reconnectMax, reconnectMin * 2 ** failures);
  return Math.round(longest * (0.5 + fraction() / 2));
}
