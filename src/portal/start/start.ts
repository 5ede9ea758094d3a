/** What an account has of the first steps: asked of the store, so a step cannot be ticked that was not taken. */
import { SUBSCRIBED } from '../../accounts/alerts/channels.ts';
import type { AlertService } from '../../alerts/parts.ts';
import type { Tally, TallyStore } from '../../core/counting/tally.ts';
import type { Channel } from '../../core/destination/channel.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Records, Row } from '../../core/sql/records.ts';
import { Answers } from '../overview/answers.ts';
import type { Start } from './contract.ts';
import { DISMISSED } from './dismissal.ts';

export interface StartDeps {
  readonly clock: Clock;
  readonly tallies: TallyStore;
  readonly records: Records;
  /** As configured now. */
  readonly carriers: () => readonly { readonly name: string; readonly type: string }[];
  readonly alerts: Pick<AlertService, 'hasMail' | 'ownPlacesForAccounts'>;
}

/** What the counts say. */
type Traffic = Pick<Start, 'code' | 'sent' | 'simulated'>;

/** What the store says; the configuration says the rest. */
interface StoredStart extends Omit<Start, 'carrier' | 'live_simulated' | 'reaching' | 'demo'> {
  /** Whether a live key may ask for this channel. */
  readonly isLive: (channel: Channel) => boolean;
}

export type ReadStart = (accountId: string, personId: string) => Promise<StoredStart>;

/** Only traffic of this time counts, so that few counts have to be read. */
const RECENT_MS = 30 * 86_400_000;
/** As often as a page asks. It must not follow how long the store took: on a busy machine a step stayed "to do" for a minute. */
const FRESH_MS = 5_000;
const REMEMBERED = 50;

const THERE = `SELECT
    (SELECT count(*) FROM api_key WHERE account_id = $1 AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > $3)) AS keys,
    (SELECT count(*) FROM member WHERE account_id = $1)
      + (SELECT count(*) FROM invitation WHERE account_id = $1 AND expires_at > $3) AS people,
    (SELECT count(*) FROM totp WHERE person_id = $2 AND confirmed_at IS NOT NULL)
      + (SELECT count(*) FROM passkey WHERE person_id = $2)
      + (SELECT count(*) FROM identity WHERE person_id = $2) AS factors,
    (SELECT count(*) ${SUBSCRIBED} AND alert_subscriber.account_id = $1) AS mailed,
    (SELECT count(*) FROM alert_webhook WHERE account_id = $1) AS webhooks,
    ${DISMISSED}`;

/** What live keys are limited to: few differ, however many keys there are. */
const LIVE = `SELECT DISTINCT restrictions FROM api_key WHERE account_id = $1 AND CASE WHEN test THEN 1 ELSE 0 END = 0
  AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`;

export function createStart({ clock, tallies, records, carriers, alerts }: StartDeps): ReadStart {
  const answers = new Answers<Traffic>(clock, REMEMBERED);

  async function countTraffic(accountId: string): Promise<Traffic> {
    const now = clock.now();
    const recent = { accountId, from: now - RECENT_MS, to: now + 1 };
    const [tried, live] = await Promise.all([
      tallies.tally({ ...recent, test: true, by: [] }),
      tallies.tally({ ...recent, test: false, by: ['channel', 'carrier'] }),
    ]);
    const simulators = new Set(carriers().flatMap(({ name, type }) => (type === 'simulator' ? [name] : [])));
    const taken = live.filter(({ submitted }) => submitted > 0);
    const isSimulated = ({ carrier }: Tally) => simulators.has(carrier ?? '');
    return {
      code: tried.some(({ submitted }) => submitted > 0),
      sent: taken.some((each) => !isSimulated(each)),
      simulated: [...new Set(taken.filter(isSimulated).flatMap(({ channel }) => channel ?? []))],
    };
  }

  return async (accountId, personId) => {
    const [there, traffic] = await Promise.all([
      records.transact([
        { sql: THERE, args: [accountId, personId, clock.now()] },
        { sql: LIVE, args: [accountId, clock.now()] },
      ]),
      answers.ask(accountId, FRESH_MS, () => countTraffic(accountId)),
    ]);
    const [[row] = [], live = []] = there.done ? there.rows : [];
    const limits = live.map(channelsIn);
    return {
      key: Number(row?.keys) > 0,
      ...traffic,
      // People who asked for mail get none once the configuration no longer names a server.
      alerts:
        alerts.ownPlacesForAccounts > 0 ||
        Number(row?.webhooks) > 0 ||
        (alerts.hasMail && Number(row?.mailed) > 0),
      colleague: Number(row?.people) > 1,
      second_factor: Number(row?.factors) > 0,
      dismissed: Number(row?.dismissed) > 0,
      isLive: (channel) => limits.some((channels) => channels.length === 0 || channels.includes(channel)),
    };
  };
}

const channelsIn = ({ restrictions }: Row): readonly string[] => JSON.parse(String(restrictions)).channels;
