/** Everything between the queue and one carrier: its link, its waiting line, and whether and how it is asked. */
import type { Channel } from '../../core/destination/channel.ts';
import { abortAfter } from '../../core/seams/clock.ts';
import type { Carrier, OutgoingMessage, Revocation, TakenMessage } from '../../core/sending/carrier.ts';
import type { DailyCap } from '../../core/sending/daily-cap.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { BreakerOptions, OnBreakerState } from './breaker.ts';
import { CarrierCaller } from './carrier-caller.ts';
import { ChannelStandings } from './channel-standing.ts';
import type { StillWanted } from './cutoff.ts';
import {
  BREAKER_OPEN,
  type GateAnswer,
  NO_LINK,
  type PassedOver,
  PLACES_TAKEN,
  pass,
} from './gate-answer.ts';
import { LinkWait } from './link-wait.ts';
import { WaitingLine, type WaitingLineOptions } from './waiting-line.ts';

export interface GateOptions extends WaitingLineOptions {
  readonly breaker: BreakerOptions;
  readonly cap?: DailyCap | undefined;
}

export interface Gate {
  readonly name: string;
  readonly silent: boolean;
  /** Whether a message would be admitted now, even if it had to wait. */
  admits(channel: Channel): boolean;
  /** Whether the carrier can take messages back, on whichever channel. */
  readonly takesBack: boolean;
  /**
   * One attempt, unless the carrier must not be asked, or its places are taken and the message can go `elsewhere`. This
   * is known at once, or after a wait for its turn.
   */
  submit(message: OutgoingMessage, still: StillWanted, elsewhere: () => boolean): MaybePromise<GateAnswer>;
  /** Takes a message back. Undefined if the carrier cannot. Never rejects. */
  revoke(taken: TakenMessage): Promise<Revocation> | undefined;
  /** Ends every attempt under way with a temporary outcome, and allows no new one. */
  abort(): void;
}

/** The next channel waits for it. */
const REVOKE_MS = 5_000;

export function createGate(
  carrier: Carrier,
  options: GateOptions,
  onState: OnBreakerState,
  onLinkTrouble: (trouble: string) => void = () => {},
): Gate {
  const { clock, cap } = options;
  const line = new WaitingLine(carrier.name, options);
  const standings = new ChannelStandings({
    ...{ clock, breaker: options.breaker, isOne: carrier.link !== undefined, onState },
    onOpen: (channel) => line.sendAway(BREAKER_OPEN, channel),
  });
  const linkWait = new LinkWait(clock, carrier.link, { up: () => standings.reset(), down: onLinkTrouble });
  const asker = new CarrierCaller(carrier, { standings, linkWait, cap, aside: (work) => line.aside(work) });
  let aborted = false;

  /** Messages that can go elsewhere do. The others wait, which does not count against the carrier. */
  async function awaitLink(
    message: OutgoingMessage,
    still: StillWanted,
    elsewhere: () => boolean,
  ): Promise<GateAnswer> {
    if (elsewhere()) return pass(NO_LINK);
    const up = linkWait.wait(message.expiresAt - clock.now());
    if (up === undefined) return pass(PLACES_TAKEN);
    return (await up) ? submit(message, still, elsewhere) : pass(aborted ? 'stopping' : NO_LINK);
  }

  function submit(
    message: OutgoingMessage,
    still: StillWanted,
    elsewhere: () => boolean,
  ): MaybePromise<GateAnswer> {
    if (linkWait.isDown && !aborted) return awaitLink(message, still, elsewhere);
    const closed =
      closedFor(message.channel) ?? (line.isStuck && elsewhere() ? pass(PLACES_TAKEN) : undefined);
    if (closed !== undefined) return closed;
    return line.enter(message.channel, (cutoff) => asker.ask(message, cutoff, still), elsewhere);
  }

  function closedFor(channel: Channel): PassedOver | undefined {
    return aborted ? pass('stopping') : asker.closedFor(channel);
  }

  return {
    name: carrier.name,
    // What was taken back is written as a receipt.
    silent: carrier.silent === true && carrier.revoke === undefined,
    admits: (channel) => !linkWait.isDown && closedFor(channel) === undefined,
    takesBack: carrier.revoke !== undefined,
    submit,
    revoke: (taken) =>
      carrier.revoke?.(taken, abortAfter(clock, REVOKE_MS))?.catch((): Revocation => 'unknown'),
    abort() {
      aborted = true;
      linkWait.abort();
      line.endAll('stopping');
    },
  };
}
