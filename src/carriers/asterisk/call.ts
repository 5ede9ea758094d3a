/** One call, from dialling to hanging up, as a sequence of steps over its events. */
import type { Clock } from '../../core/seams/clock.ts';
import type { Ending } from './ending.ts';
import type { CallEvent } from './event.ts';
import { eventText } from './event.ts';
import type { CallLine } from './line.ts';
import type { Rest } from './rest.ts';

/** Sounds played one after the other. */
export interface SpokenStep {
  /** ARI media URIs. For a list Asterisk reports only the result of the last one, so the important one comes last. */
  readonly media: readonly string[];
  /** Asterisk's name of the language in which `sound:` is looked up. */
  readonly language: string;
  /** Whether a listener who misses it misses a part of the code. */
  readonly vital: boolean;
}

export interface CallOrder {
  /** Id of the channel. We choose it; it is unique. */
  readonly channel: string;
  readonly app: string;
  readonly endpoint: string;
  readonly callerId: string | undefined;
  /** DialString once somebody has answered, followed by a wait, in ms. */
  readonly extension: string | undefined;
  readonly extensionPauseMs: number;
  readonly ringMs: number;
  /** From dialling to hanging up. */
  readonly totalMs: number;
  /** The sentence with the code, once. */
  readonly sentence: readonly SpokenStep[];
  readonly repeats: number;
  /** Called when a sound around the code is missing. The code itself is still heard. */
  readonly onMissing: () => void;
}

/** Without it the last digit is cut off: hanging up does not wait for the sound that is playing. */
const CLOSING: readonly SpokenStep[] = [{ media: ['sound:silence/1'], language: 'en', vital: false }];
/** A key repeats the code, up to so many times. */
const MOST_KEYS = 5;
const TONE_MS = 120;
/** Switchboards answer a moment before they listen for digits. */
const BEFORE_EXTENSION_MS = 1_000;
/** How long Asterisk may take to report the end of a channel that is already gone. */
const END_WAIT_MS = 2_000;
/** Asterisk's own limits are a safeguard in case this process cannot hang up. Ours come first. */
const SAFEGUARD_MS = 10_000;

/** The result of saying one sentence. */
type Said = 'whole' | 'key' | 'interrupted' | Ending;

/** Resolves when the call is over or given up. The caller of this function then hangs up. */
export async function conductCall(
  clock: Clock,
  order: CallOrder,
  line: CallLine,
  rest: Rest,
): Promise<Ending> {
  const began = clock.steady();
  const until = began + order.totalMs;
  const refusal = await originate(order, rest);
  if (refusal !== undefined) return refusal;
  const unanswered = await awaitAnswer(line, began + order.ringMs);
  if (unanswered !== undefined) return unanswered;
  if (order.extension !== undefined) {
    const reply = await rest('POST', `/channels/${order.channel}/dtmf`, {
      dtmf: order.extension,
      before: BEFORE_EXTENSION_MS,
      between: TONE_MS,
      duration: TONE_MS,
      after: order.extensionPauseMs,
    });
    if (reply.kind === 'failed') return { kind: 'lost', reason: `ARI: ${reply.reason}` };
  }
  return new Conversation(clock, order, line, rest, until).hold();
}

/** Undefined if Asterisk dials. */
export async function originate(
  order: Pick<CallOrder, 'channel' | 'app' | 'endpoint' | 'callerId' | 'ringMs' | 'totalMs'>,
  rest: Rest,
): Promise<Extract<Ending, { readonly kind: 'refused' | 'lost' }> | undefined> {
  const reply = await rest('POST', `/channels/${order.channel}`, {
    endpoint: order.endpoint,
    app: order.app,
    ...(order.callerId !== undefined && { callerId: order.callerId }),
    timeout: Math.ceil((order.ringMs + SAFEGUARD_MS) / 1_000),
    // Ends the call even if this process dies. Needs func_timeout; without it Asterisk only logs a warning.
    variables: { 'TIMEOUT(absolute)': `${Math.ceil((order.totalMs + SAFEGUARD_MS) / 1_000)}` },
  });
  if (reply.kind === 'failed') return { kind: 'lost', reason: `ARI: ${reply.reason}` };
  return reply.status === 200 ? undefined : { kind: 'refused', status: reply.status };
}

/** Undefined if somebody has answered. */
async function awaitAnswer(line: CallLine, until: number): Promise<Ending | undefined> {
  let rang = false;
  for (;;) {
    const event = await line.next(until);
    switch (event.kind) {
      case 'ringing':
      case 'early media':
        rang = true;
        break;
      case 'answered':
        return undefined;
      case 'resumed':
        if (event.state === 'Up') return undefined;
        rang ||= event.state === 'Ringing';
        break;
      case 'ended':
        return { kind: 'unconnected', cause: event.cause, status: event.status, rang };
      case 'late':
        return { kind: 'unanswered', rang };
      case 'lost':
        return event;
      case 'aborted':
        return { kind: 'lost', reason: 'given up' };
    }
  }
}

class Conversation {
  readonly #clock: Clock;
  readonly #order: CallOrder;
  readonly #line: CallLine;
  readonly #rest: Rest;
  readonly #until: number;
  #playbacks = 0;
  #keys = 0;
  #hangingUp = false;

  constructor(clock: Clock, order: CallOrder, line: CallLine, rest: Rest, until: number) {
    this.#clock = clock;
    this.#order = order;
    this.#line = line;
    this.#rest = rest;
    this.#until = until;
  }

  async hold(): Promise<Ending> {
    let left = this.#order.repeats;
    let spoken = false;
    for (;;) {
      const began = this.#clock.steady();
      const said = await this.#say(left > 0 ? this.#order.sentence : CLOSING);
      switch (said) {
        case 'whole': {
          if (left === 0) return { kind: 'spoken' };
          spoken = true;
          const now = this.#clock.steady();
          // A repetition is not started if there is no time to finish it.
          left = now + (now - began) + SAFEGUARD_MS < this.#until ? left - 1 : 0;
          break;
        }
        case 'key':
          this.#keys += 1;
          left = Math.max(left, 1);
          break;
        case 'interrupted':
          break;
        default:
          return spoken ? { kind: 'spoken' } : said;
      }
    }
  }

  async #say(steps: readonly SpokenStep[]): Promise<Said> {
    for (const step of steps) {
      const said = await this.#play(step);
      if (said !== 'whole') return said;
    }
    return 'whole';
  }

  /** Plays one step to its end. Steps are not queued, so a key has nothing to undo. */
  async #play({ media, language, vital }: SpokenStep): Promise<Said> {
    this.#playbacks += 1;
    const { channel } = this.#order;
    const playback = `${channel}-${this.#playbacks}`;
    const body = { media, lang: language };
    const reply = await this.#rest('POST', `/channels/${channel}/play/${playback}`, body);
    if (reply.kind === 'failed') return { kind: 'lost', reason: `ARI: ${reply.reason}` };
    if (reply.status === 404) return this.#awaitEnd();
    if (reply.status !== 201) return { kind: 'unplayable' };
    for (;;) {
      const event = await this.#line.next(this.#until);
      switch (event.kind) {
        case 'played':
          if (event.playback !== playback) break;
          if (event.done) return 'whole';
          if (await this.#isEnding()) return this.#awaitEnd();
          if (vital) return { kind: 'unplayable' };
          this.#order.onMissing();
          return 'whole';
        case 'key':
          if (this.#keys >= MOST_KEYS) break;
          await this.#rest('DELETE', `/playbacks/${playback}`);
          return 'key';
        case 'hangup':
          this.#hangingUp = true;
          break;
        case 'resumed':
          // It is unknown whether it was heard to its end while the link was down, so it is said again.
          if (!(await this.#isPlaying(playback))) return 'interrupted';
          break;
        default: {
          const ending = endingOf(event);
          if (ending !== undefined) return ending;
        }
      }
    }
  }

  /** A playback fails if its sound is missing, or if the call is hung up during it. */
  async #isEnding(): Promise<boolean> {
    if (this.#hangingUp) return true;
    const reply = await this.#rest('GET', `/channels/${this.#order.channel}`);
    return reply.kind === 'answered' && reply.status === 404;
  }

  async #isPlaying(playback: string): Promise<boolean> {
    const reply = await this.#rest('GET', `/playbacks/${playback}`);
    return reply.kind === 'answered' && eventText(reply.body, 'id') === playback;
  }

  async #awaitEnd(): Promise<Ending> {
    const until = this.#clock.steady() + END_WAIT_MS;
    for (;;) {
      const ending = endingOf(await this.#line.next(until));
      if (ending !== undefined) return ending;
    }
  }
}

/** How an event ends a conversation; undefined if it does not. */
function endingOf(event: CallEvent): Ending | undefined {
  switch (event.kind) {
    case 'ended':
      return { kind: 'hung up early' };
    case 'lost':
      return event;
    case 'aborted':
      return { kind: 'lost', reason: 'given up' };
    case 'late':
      return { kind: 'lost', reason: 'timed out' };
    default:
      return undefined;
  }
}
