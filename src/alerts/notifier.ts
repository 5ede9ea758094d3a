/** Brings notices to their recipients: what waits for one recipient goes as one notification, and is kept until the recipient took it. */

import { openAlertWebhook, SUBSCRIBED } from '../accounts/alerts/channels.ts';
import { pauseAfter } from '../core/alerts/pause.ts';
import type { Clock } from '../core/seams/clock.ts';
import { HOUR_MS } from '../core/seams/spans.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Log } from '../core/sending/carrier.ts';
import { query, type Records, type Row, type Statement } from '../core/sql/records.ts';
import type { LeaderLease } from './leader-lease.ts';
import type { Mail, SentNotification } from './mail.ts';
import type { Facts, Recipient } from './notices.ts';
import { composeNotification, type Notice, type Notification } from './notification.ts';
import { EVERYWHERE, type NotificationWebhook, postNotification } from './post-notification.ts';

/** Letters to one recipient in an hour. What comes beyond that waits, and goes together. */
const MOST_LETTERS = 10;
/** Notices that are read at once. */
const MOST_DUE = 1_000;
/** Places that are written to side by side. */
const AT_ONCE = 8;
/** What no recipient took by then is given up. */
const GIVEN_UP_AFTER_MS = 24 * HOUR_MS;
/** What is begun must be written while the lease is ours, or another node would send it too. */
const MARGIN_MS = 25_000;

const DUE = `
  SELECT id, account_id, channel, target, kind, at, facts, tries FROM alert_notice
  WHERE due_at <= CAST($1 AS BIGINT) ORDER BY id LIMIT ${MOST_DUE}`;

const LETTERS = `
  SELECT count(DISTINCT letter) AS letters, min(sent_at) AS first FROM alert_notice
  WHERE account_id = $1 AND channel = $2 AND target = $3 AND last_try_at > CAST($4 AS BIGINT) AND sent_at > CAST($4 AS BIGINT)`;

const SETTLE = `
  UPDATE alert_notice SET due_at = CAST($2 AS BIGINT), tries = tries + 1, last_try_at = CAST($3 AS BIGINT), last_answer = $4,
    sent_at = CAST($5 AS BIGINT), letter = $6
  WHERE id = $1`;

const WAIT = 'UPDATE alert_notice SET due_at = CAST($2 AS BIGINT), last_answer = $3 WHERE id = $1';
const FULL = 'so many notifications within an hour that the next go together';

interface Due extends Notice {
  readonly place: Recipient;
  readonly tries: number;
}

interface NotifierDeps {
  readonly records: Records;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly leaderLease: Pick<LeaderLease, 'leftMs' | 'guard'>;
  /** Undefined if no server is configured. */
  readonly mail: Mail | undefined;
  /** The one that the configuration names. */
  readonly webhook: NotificationWebhook | undefined;
  readonly privateNetworks: readonly string[];
  /** Where the portal is; undefined if the configuration does not say so. */
  readonly address: string | undefined;
  readonly log: Log;
  readonly random: () => number;
}

export class Notifier {
  readonly #deps: NotifierDeps;
  #stopped = false;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
  }

  /** Begins nothing more. */
  stop(): void {
    this.#stopped = true;
  }

  /** Sends what is due; answers when the next is, Unix ms. Undefined if nothing waits. */
  async pass(): Promise<number | undefined> {
    const { records, clock } = this.#deps;
    const rows = await query(records, DUE, clock.now());
    const due = Map.groupBy(rows.map(dueOf), ({ place }) => JSON.stringify(place));
    const groups = [...due.values()];
    for (let first = 0; first < groups.length; first += AT_ONCE) {
      await Promise.all(groups.slice(first, first + AT_ONCE).map((notices) => this.#tell(notices)));
    }
    const [next] = await query(
      records,
      'SELECT min(due_at) AS due FROM alert_notice WHERE due_at IS NOT NULL',
    );
    return next?.due === null || next === undefined ? undefined : Number(next.due);
  }

  async #tell(notices: readonly Due[]): Promise<void> {
    const { records, clock, leaderLease, address, log } = this.#deps;
    const [first] = notices;
    if (first === undefined || this.#stopped || leaderLease.leftMs < MARGIN_MS) return;
    const { place } = first;
    const now = clock.now();
    const { accountId, channel, target } = place;
    const [row] = await query(records, LETTERS, accountId, channel, target, now - HOUR_MS);
    if (Number(row?.letters ?? 0) >= MOST_LETTERS) {
      // Until the first of them is an hour old, with what comes until then.
      const room = Number(row?.first) + HOUR_MS + 1;
      await this.#settle(notices, ({ id }) => ({ sql: WAIT, args: [id, room, FULL] }));
      return;
    }
    const notification = composeNotification(notices, address);
    const sent = await this.deliver(place, notification);
    if (sent.kind === 'failed') log('warn', 'alert not told yet', { channel, answer: sent.answer });
    const at = clock.now();
    await this.#settle(notices, (notice) =>
      sent.kind === 'sent'
        ? { sql: SETTLE, args: [notice.id, null, at, null, at, notification.id] }
        : this.#later(notice, at, sent.answer),
    );
  }

  /** Brings one notification to one recipient, now. */
  async deliver(place: Recipient, notification: Notification): Promise<SentNotification> {
    return place.channel === 'email' ? this.#mail(place, notification) : this.#post(place, notification);
  }

  async #mail({ accountId, target }: Recipient, notification: Notification): Promise<SentNotification> {
    const { mail, records } = this.#deps;
    if (mail === undefined) return { kind: 'failed', answer: 'no server for mail is configured (smtp)' };
    const to = accountId === '' ? target : await this.#addressOf(records, accountId, target);
    if (to === undefined) return { kind: 'failed', answer: 'nobody there wants mail any more' };
    return mail.send(to, notification);
  }

  /** Of a member who still wants mail, and may have it. */
  async #addressOf(records: Records, accountId: string, personId: string): Promise<string | undefined> {
    const sql = `SELECT email ${SUBSCRIBED} AND alert_subscriber.account_id = $1 AND alert_subscriber.person_id = $2`;
    const [row] = await query(records, sql, accountId, personId);
    return row && String(row.email);
  }

  async #post({ accountId }: Recipient, notification: Notification): Promise<SentNotification> {
    const { records, keyring, webhook: own, privateNetworks, clock } = this.#deps;
    const isOwn = accountId === '';
    const webhook = isOwn ? own : await openAlertWebhook(records, keyring, accountId);
    if (webhook === undefined) return { kind: 'failed', answer: 'there is no webhook any more' };
    const allowed = isOwn ? EVERYWHERE : privateNetworks;
    return postNotification(webhook, notification, { privateNetworks: allowed, clock });
  }

  #later({ id, at, tries }: Due, now: number, answer: string): Statement {
    const dueAt = now + pauseAfter(tries, this.#deps.random);
    return {
      sql: SETTLE,
      args: [id, dueAt - at > GIVEN_UP_AFTER_MS ? null : dueAt, now, answer, null, null],
    };
  }

  /** Also by a node that has lost the lease meanwhile: what was sent was sent. */
  async #settle(notices: readonly Due[], statementOf: (notice: Due) => Statement): Promise<void> {
    await this.#deps.records.transact(notices.map(statementOf));
  }
}

function dueOf(row: Row): Due {
  const facts: Facts = JSON.parse(String(row.facts));
  return {
    id: String(row.id),
    kind: KINDS.find((kind) => kind === row.kind) ?? 'firing',
    at: Number(row.at),
    facts,
    tries: Number(row.tries),
    place: {
      accountId: String(row.account_id),
      channel: row.channel === 'email' ? 'email' : 'webhook',
      target: String(row.target),
    },
  };
}

const KINDS = ['firing', 'reminder', 'recovered', 'test'] as const;
