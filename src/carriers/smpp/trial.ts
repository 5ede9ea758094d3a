/** Whether the SMSC takes our binds, for a carrier that is not started. */
import type { Clock } from '../../core/seams/clock.ts';
import type { Carrier } from '../../core/sending/carrier.ts';
import { openLink } from './opening.ts';
import type { LinkOptions } from './options.ts';

/** Binds once, asks whether the session stands, and unbinds. A receipt that comes meanwhile is temporarily refused, because it cannot be stored. */
export async function tryBinding(clock: Clock, options: LinkOptions): ReturnType<Carrier['check']> {
  const { bind } = options;
  const refuse = () => Promise.reject(new Error('a trial bind keeps no receipts'));
  for (const role of bind === 'separate' ? (['transmitter', 'receiver'] as const) : [bind]) {
    const opening = await openLink(clock, options, role, refuse, new AbortController().signal);
    if (opening.kind === 'failed') {
      return { ok: false, detail: bind === 'separate' ? `${role}: ${opening.reason}` : opening.reason };
    }
    const { link } = opening;
    // No more time than for a bind: somebody waits for the result.
    await link.enquire(options.bindTimeout);
    const fault = link.ended;
    await link.unbind();
    if (fault !== undefined) return { ok: false, detail: bind === 'separate' ? `${role}: ${fault}` : fault };
  }
  return { ok: true, detail: DONE[bind] };
}

const DONE: Readonly<Record<LinkOptions['bind'], string>> = {
  transceiver: 'bound and unbound',
  separate: 'transmitter and receiver bound and unbound',
  transmitter: 'transmitter bound and unbound; receipts do not come over it',
};
