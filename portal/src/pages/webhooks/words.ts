/** Events, and how endpoints and messages do, in words for people. */
import type { Message, WebhookView } from '#contract/webhooks.ts';
import { EVENT_TYPES, type EventType, TEST_TYPE } from '../../../../src/core/events/event.ts';

export { EVENT_TYPES };

interface EventWords {
  readonly label: string;
  readonly means: string;
}

export const EVENTS: Readonly<Record<EventType, EventWords>> = {
  'verification.requested': { label: 'Requested', means: 'A code was asked for.' },
  'verification.confirmed': { label: 'Confirmed', means: 'The right code was entered.' },
  'verification.expired': { label: 'Expired', means: 'Nobody confirmed the code in time.' },
  'verification.exhausted': { label: 'Locked', means: 'All guesses are used up.' },
  'delivery.accepted': { label: 'Accepted', means: 'A carrier accepted the message.' },
  'delivery.delivered': { label: 'Delivered', means: 'The message reached the telephone.' },
  'delivery.undelivered': {
    label: 'Undelivered',
    means: 'A carrier reported that it did not reach it, or it was taken back for the next channel.',
  },
  'delivery.failed': { label: 'Failed', means: 'No carrier accepted the message.' },
};

const isKnown = (type: string): type is EventType => Object.hasOwn(EVENTS, type);

/** Of a later version, whose types a page that was open before does not know, the type itself. */
export function eventLabel(type: string): string {
  if (type === TEST_TYPE) return 'Test';
  return isKnown(type) ? EVENTS[type].label : type;
}

export const typesWords = (types: WebhookView['types']): string =>
  types.length === 0 ? 'All events' : types.map(eventLabel).join(', ');

export const STATES: Readonly<
  Record<WebhookView['state'], { readonly color: string; readonly label: string }>
> = {
  unused: { color: 'gray', label: 'Not used yet' },
  works: { color: 'green', label: 'Works' },
  failing: { color: 'yellow', label: 'Failing' },
  disabled: { color: 'red', label: 'Disabled' },
};

export const DISABLED: Readonly<Record<NonNullable<WebhookView['disabled_why']>, string>> = {
  gone: 'It answered 410 (gone), which asks for nothing more.',
  failing: 'It accepted nothing for five days.',
  'by-hand': 'Somebody disabled it.',
};

export const MESSAGE_STATES: Readonly<
  Record<Message['state'], { readonly color: string; readonly label: string }>
> = {
  waiting: { color: 'accent', label: 'Waiting' },
  sent: { color: 'green', label: 'Accepted' },
  'given-up': { color: 'red', label: 'Given up' },
};

/** How often it was tried, and what came back. */
export function triesWords({ tries, last_answer: answer }: Message): string {
  if (tries === 0) return 'Not tried yet';
  const times = tries === 1 ? 'Tried once' : `Tried ${tries} times`;
  return answer === null ? times : `${times}: ${answer}`;
}
