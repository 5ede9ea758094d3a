import type { VerificationDetail } from '#contract/verifications.ts';
import { isCarrierTest } from '../../format/carrier-test.ts';
import { formatLatency, formatMoney } from '../../format/number.ts';

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
    ...attempts.flatMap(attemptEvents),
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

function attemptEvents({
  carrier,
  choice,
  started_at,
  ms,
  outcome,
  reason,
  receipt,
}: VerificationDetail['attempts'][number]): TimelineEvent[] {
  const { title, tone } = OUTCOMES[outcome];
  const why = choice === null ? '' : `Chosen because ${choice}. `;
  const said = reason === null ? '' : ` It said: ${reason}.`;
  const attempt: TimelineEvent = {
    at: started_at,
    title: `${carrier} ${title}`,
    detail: `${why}Answered in ${formatLatency(ms)}.${said}`,
    tone,
  };
  if (receipt === null) return [attempt];
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
