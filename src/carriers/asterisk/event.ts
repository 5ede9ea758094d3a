/** What Asterisk reports about a call, read from ARI's events. */
import { parseAnswer } from '../gateway/json-answer.ts';

export type CallEvent =
  /** It rings (SIP 180). */
  | { readonly kind: 'ringing' }
  /** There is early media (SIP 183): many networks send the ringing as sound, and never a 180. It may be an announcement, too. */
  | { readonly kind: 'early media' }
  | { readonly kind: 'answered' }
  | { readonly kind: 'played'; readonly playback: string; readonly done: boolean }
  | { readonly kind: 'key' }
  /** The call is about to end: playbacks fail from here on. */
  | { readonly kind: 'hangup' }
  /** `cause` is Q.850's, `status` SIP's where there is one. */
  | { readonly kind: 'ended'; readonly cause: number; readonly status: number | undefined }
  /** Events may have been missed; the channel is still there, in this state. */
  | { readonly kind: 'resumed'; readonly state: string }
  /** The call can no longer be followed. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** The call is no longer wanted. */
  | { readonly kind: 'aborted' }
  /** Nothing happened in time. */
  | { readonly kind: 'late' };

export interface ChannelEvent {
  readonly channel: string;
  readonly event: CallEvent;
}

const DIAL_STATUSES: ReadonlyMap<string, 'ringing' | 'early media'> = new Map([
  ['RINGING', 'ringing'],
  ['PROGRESS', 'early media'],
] as const);

/** Undefined for events that no call waits for. */
export function readEvent(data: unknown): ChannelEvent | undefined {
  const parsed = typeof data === 'string' ? parseAnswer(data) : undefined;
  const channel = eventText(parsed, 'channel', 'id');
  switch (eventText(parsed, 'type')) {
    case 'ChannelStateChange':
      return eventText(parsed, 'channel', 'state') === 'Ringing'
        ? of(channel, { kind: 'ringing' })
        : undefined;
    case 'Dial': {
      const kind = DIAL_STATUSES.get(eventText(parsed, 'dialstatus') ?? '');
      return kind && of(eventText(parsed, 'peer', 'id'), { kind });
    }
    case 'StasisStart':
      return of(channel, { kind: 'answered' });
    case 'ChannelDtmfReceived':
      return of(channel, { kind: 'key' });
    case 'ChannelHangupRequest':
      return of(channel, { kind: 'hangup' });
    case 'ChannelDestroyed': {
      const cause = numberAt(parsed, 'cause') ?? 0;
      return of(channel, { kind: 'ended', cause, status: numberAt(parsed, 'tech_cause') });
    }
    case 'PlaybackFinished': {
      const [, target] = /^channel:(.+)$/.exec(eventText(parsed, 'playback', 'target_uri') ?? '') ?? [];
      const playback = eventText(parsed, 'playback', 'id') ?? '';
      return of(target, {
        kind: 'played',
        playback,
        done: eventText(parsed, 'playback', 'state') === 'done',
      });
    }
    default:
      return undefined;
  }
}

function of(channel: string | undefined, event: CallEvent): ChannelEvent | undefined {
  return channel === undefined ? undefined : { channel, event };
}

/** The text at a path of member names. */
export function eventText(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : undefined;
}

function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, path);
  return typeof found === 'number' ? found : undefined;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.getOwnPropertyDescriptor(found, name)?.value;
  }
  return found;
}
