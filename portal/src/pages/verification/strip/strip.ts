import type { VerificationDetail } from '#contract/verifications.ts';
import { channelName } from '../../../format/channel.ts';
import { isTakenBack } from '../timeline.ts';

type Tone = 'plain' | 'good' | 'bad';

export interface Mark {
  /** Unix ms. */
  readonly at: number;
  readonly text: string;
  readonly tone: Tone;
}

export interface Lane {
  readonly name: string;
  /** From when to when a carrier was asked. */
  readonly bars: readonly (Mark & { readonly to: number })[];
  readonly marks: readonly Mark[];
}

const OUTCOMES = {
  accepted: { text: 'accepted', tone: 'plain' },
  delivered: { text: 'delivered', tone: 'good' },
  temporary: { text: 'not accepted just then', tone: 'bad' },
  permanent: { text: 'refused', tone: 'bad' },
} as const;

/** What happened, in a lane for each party: your application, each carrier that was asked, the person. */
export function lanesOf(detail: VerificationDetail, now: number): Lane[] {
  const { verification, attempts } = detail;
  const application: Lane = {
    name: 'Your application',
    bars: [],
    marks: [{ at: Date.parse(verification.requested_at), text: 'Requested', tone: 'plain' }],
  };
  const byCarrier = Map.groupBy(attempts, ({ carrier, channel }) => `${carrier}, ${channelName(channel)}`);
  const carriers = [...byCarrier].map(
    ([name, own]): Lane => ({
      name,
      bars: own.map(({ started_at, ms, outcome }) => {
        const at = Date.parse(started_at);
        return { at, to: at + ms, ...OUTCOMES[outcome] };
      }),
      marks: own.flatMap(({ receipt }) =>
        receipt === null
          ? []
          : [
              {
                at: Date.parse(receipt.at),
                text: isTakenBack(receipt) ? 'Taken back' : `Receipt: ${receipt.status}`,
                tone: receipt.status === 'delivered' ? ('good' as const) : ('bad' as const),
              },
            ],
      ),
    }),
  );
  return [application, ...carriers, personOf(detail, now)];
}

/** The last guess of a confirmed verification was right. */
export const wrongCodes = ({ guesses_used, verification }: VerificationDetail): number =>
  Math.max(0, guesses_used - (verification.confirmed_at === null ? 0 : 1));

/** When wrong codes came is not kept, only how many did. */
function personOf(detail: VerificationDetail, now: number): Lane {
  const wrong = wrongCodes(detail);
  const { confirmed_at: confirmedAt } = detail.verification;
  const name = wrong > 0 ? `Person, wrong codes: ${wrong}` : 'Person';
  const expiry = Date.parse(detail.expires_at);
  const end: Mark[] =
    confirmedAt !== null
      ? [{ at: Date.parse(confirmedAt), text: 'Confirmed', tone: 'good' }]
      : expiry <= now
        ? [{ at: expiry, text: 'Expired', tone: 'bad' }]
        : [];
  return { name, bars: [], marks: end };
}

/** Every moment at which something happened, in order. */
export const momentsOf = (lanes: readonly Lane[]): number[] =>
  [
    ...new Set(
      lanes.flatMap(({ bars, marks }) => [
        ...bars.flatMap(({ at, to }) => [at, to]),
        ...marks.map(({ at }) => at),
      ]),
    ),
  ].sort((one, other) => one - other);

/**
 * Milliseconds and days on one strip: a gap is drawn as wide as the logarithm of its length, so that long ones are shortened and
 * short ones stay visible. Returns the place of each moment, from 0 to 1.
 */
export function placesOf(moments: readonly number[]): ReadonlyMap<number, number> {
  const widths = moments.map((at, index) => {
    const before = moments[index - 1];
    return before === undefined ? 0 : 1 + Math.log10(1 + (at - before) / 10);
  });
  const whole = widths.reduce((sum, width) => sum + width, 0) || 1;
  let passed = 0;
  return new Map(
    moments.map((at, index) => {
      passed += widths[index] ?? 0;
      return [at, passed / whole];
    }),
  );
}
