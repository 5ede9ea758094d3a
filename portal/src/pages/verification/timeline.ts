import type { VerificationDetail } from '#contract/verifications.ts';
import { TAKEN_BACK } from '../../../../src/core/sending/taken-back.ts';
import { isCarrierTest } from '../../format/carrier-test.ts';
import { channelLabel } from '../../format/channel.ts';
import { formatLatency, formatMoney } from '../../format/number.ts';

type Channel = VerificationDetail['verification']['channel'];

export interface TimelineEvent {
  readonly at: string;
  readonly title: string;
  readonly detail: string;
  readonly tone: 'plain' | 'good' | 'bad';
}

type Receipt = NonNullable<VerificationDetail['attempts'][number]['receipt']>;

const OUTCOMES = {
  accepted: { title: 'accepted it', tone: 'plain' },
  delivered: { title: 'delivered it', tone: 'good' },
  temporary: { title: 'could not accept it just then', tone: 'bad' },
  permanent: { title: 'refused it', tone: 'bad' },
} as const;

/** Everything that happened to one verification, oldest first. */
export function timelineOf(detail: VerificationDetail, now: number): TimelineEvent[] {
  const { verification, attempts, expires_at } = detail;
  const isTest = isCarrierTest(verification);
  const events: TimelineEvent[] = [
    {
      at: verification.requested_at,
      title: 'Requested',
      detail: isTest ? 'As a test of a carrier, with no key.' : `With the key ${verification.key.name}.`,
      tone: 'plain',
    },
    ...attempts.flatMap((attempt) => attemptEvents(attempt, whyNot(detail))),
  ];
  if (verification.confirmed_at !== null) {
    const wrong = detail.guesses_used > 1 ? ` Wrong guesses before: ${detail.guesses_used - 1}.` : '';
    events.push({
      at: verification.confirmed_at,
      title: 'Confirmed',
      detail: `The right code was entered.${wrong}`,
      tone: 'good',
    });
  } else if (!isTest && Date.parse(expires_at) <= now) {
    const guesses =
      detail.guesses_used === 0 ? 'No code was entered.' : `Wrong codes entered: ${detail.guesses_used}.`;
    events.push({ at: expires_at, title: 'Expired', detail: guesses, tone: 'bad' });
  }
  return events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

interface Unreached {
  readonly channel: Channel;
  /** Why a message goes on by another one. */
  readonly why: string;
}

/** Of the channel that was asked for. */
function whyNot({ verification: { channel }, attempts }: VerificationDetail): Unreached {
  const isLate = attempts.some(({ channel: used, receipt }) => used === channel && isTakenBack(receipt));
  return { channel, why: isLate ? 'was not delivered in time' : 'did not reach' };
}

/** By the service itself: it is kept like a receipt, and none came. */
export const isTakenBack = (receipt: Receipt | null): boolean => receipt?.reason === TAKEN_BACK;

function attemptEvents(
  {
    carrier,
    channel,
    choice,
    started_at,
    ms,
    outcome,
    reason,
    receipt,
  }: VerificationDetail['attempts'][number],
  first: Unreached,
): TimelineEvent[] {
  const { title, tone } = OUTCOMES[outcome];
  const by =
    channel === first.channel
      ? ''
      : `Sent by ${channelLabel(channel)}, because ${channelLabel(first.channel)} ${first.why}. `;
  const why = choice === null ? '' : `Chosen because ${choice}. `;
  const said = reason === null ? '' : ` It said: ${reason}.`;
  const attempt: TimelineEvent = {
    at: started_at,
    title: `${carrier} ${title}`,
    detail: `${by}${why}Answered in ${formatLatency(ms)}.${said}`,
    tone,
  };
  if (receipt === null) return [attempt];
  if (isTakenBack(receipt)) {
    const detail = `The service took it back from ${carrier}, because it was not delivered in time.`;
    return [attempt, { at: receipt.at, title: 'Taken back', detail, tone: 'bad' }];
  }
  return [
    attempt,
    {
      at: receipt.at,
      title: receipt.status === 'delivered' ? 'Delivered' : 'Undelivered',
      detail: `Receipt from ${carrier}.${receipt.reason === null ? '' : ` It said: ${receipt.reason}.`}${statedIn(receipt)}`,
      tone: receipt.status === 'delivered' ? 'good' : 'bad',
    },
  ];
}

/** The price and the network, if the carrier names them. */
function statedIn({ price, network }: Receipt): string {
  const cost = price === null ? '' : ` Price: ${formatMoney(price.amount, price.currency)}.`;
  return network === null ? cost : `${cost} Network: ${network}.`;
}
