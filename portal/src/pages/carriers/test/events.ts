import type { CarrierTestView } from '#contract/carrier-tests.ts';
import { channelName } from '../../../format/channel.ts';
import { formatLatency } from '../../../format/number.ts';
import type { TimelineEvent } from '../../verification/timeline.ts';

type Answered = NonNullable<CarrierTestView['answer']>;

/** Why the service did not ask, and what to do. */
const WHY_NOT: Readonly<Record<string, string>> = {
  'no link':
    'There is no connection to it. The log of the service says why, and so does “countersign doctor”.',
  'breaker open': 'It failed too often and is set aside for a while. Its last error is in the table above.',
  paused: 'It asked us to wait. Try again in a minute.',
  'daily cap reached': 'Its daily cap is used up. It takes messages again at midnight UTC.',
  'places taken': 'It is busy with other messages. Try again in a minute.',
};
const BUSY = 'The service was busy or stopping. Try again.';

/** What to do about a refusal. */
const ADVICE: Readonly<Record<NonNullable<Answered['cause']>, string>> = {
  settings:
    'Its account, credentials, sender or credit are at fault. Correct the options of this carrier in the configuration, or see to the account at the carrier.',
  message:
    'It will not take this message. Check the number, and ask the carrier whether it lets this sender and this text through to that country.',
  'for-now': 'It may be over soon. Try again; if it lasts, give the carrier the time and its own words.',
};

const MAY_BE_SENT = 'The message may have been sent or not. It is not sent again.';
const NOT_REACHED =
  'The carrier accepted it, but the telephone did not get it: switched off, out of reach, or blocked by its operator. Try another number.';

/** Everything that is known of one test, oldest first. */
export function eventsOf(test: CarrierTestView): TimelineEvent[] {
  const { carrier, channel, number, asked_by, asked_at, receipt } = test;
  const asked: TimelineEvent = {
    at: asked_at,
    title: 'Asked',
    detail: `By ${asked_by}: ${channelName(channel)} to ${number}, over ${carrier} and no other carrier.`,
    tone: 'plain',
  };
  const events = [asked, ...answerEvents(test)];
  if (receipt === null) return events;
  const isThere = receipt.status === 'delivered';
  return [
    ...events,
    {
      at: receipt.at,
      title: isThere ? 'Delivered' : 'Undelivered',
      detail: `The receipt of ${carrier}.${saying(receipt.reason)}${isThere ? '' : ` ${NOT_REACHED}`}`,
      tone: isThere ? 'good' : 'bad',
    },
  ];
}

function answerEvents({ carrier, state, asked_at, answer, receipt }: CarrierTestView): TimelineEvent[] {
  if (state === 'unknown') {
    return [{ at: asked_at, title: 'No answer is known', detail: MAY_BE_SENT, tone: 'bad' }];
  }
  if (answer === null) return [];
  const { at } = answer;
  const took = `Answered in ${formatLatency(answer.ms)}.`;
  const bad = (title: string, detail: string): TimelineEvent[] => [{ at, title, detail, tone: 'bad' }];
  switch (state) {
    case 'not-asked':
      return bad(`${carrier} was not asked`, WHY_NOT[answer.reason ?? ''] ?? BUSY);
    case 'unclear':
      return bad(
        `${carrier} gave no clear answer`,
        `After ${formatLatency(answer.ms)}.${saying(answer.reason)} ${MAY_BE_SENT}`,
      );
    case 'refused': {
      const advice = answer.cause === null ? '' : ` ${ADVICE[answer.cause]}`;
      return bad(`${carrier} refused it`, `${took}${saying(answer.reason)}${advice}`);
    }
    default: {
      const id = answer.reference === null ? '' : ` Its id of the message: ${answer.reference}.`;
      // Without a receipt only what reaches no telephone is delivered, such as a message of the simulator.
      const isThere = state === 'delivered' && receipt === null;
      const title = isThere ? `${carrier} delivered it` : `${carrier} took it`;
      return [{ at, title, detail: `${took}${id}`, tone: isThere ? 'good' : 'plain' }];
    }
  }
}

const WORDS: Readonly<Record<string, string>> = { deadline: 'no answer in time' };

const saying = (reason: string | null): string => {
  if (reason === null) return '';
  const words = WORDS[reason];
  return words === undefined ? ` It said: ${reason}.` : ` That is: ${words}.`;
};

/** What is still awaited; undefined if nothing is. */
export function awaited({ state }: Pick<CarrierTestView, 'state'>): string | undefined {
  if (state === 'waiting') return 'Waiting for the carrier’s answer.';
  return state === 'taken' ? 'Waiting for the carrier’s receipt. Some carriers send none.' : undefined;
}

/** In a word or two. */
export const STATES: Readonly<Record<CarrierTestView['state'], { label: string; color: string }>> = {
  waiting: { label: 'Under way', color: 'blue' },
  'not-asked': { label: 'Not asked', color: 'red' },
  refused: { label: 'Refused', color: 'red' },
  unclear: { label: 'Unclear', color: 'yellow' },
  unknown: { label: 'Unknown', color: 'yellow' },
  taken: { label: 'Accepted', color: 'blue' },
  delivered: { label: 'Delivered', color: 'green' },
  undelivered: { label: 'Undelivered', color: 'red' },
};
