/** What is to be told to each recipient. A notice is a row, written with what it tells of, and kept until its recipient took it. */
import { SUBSCRIBED } from '../accounts/alerts/channels.ts';
import { mintListId } from '../accounts/token.ts';
import type { AlertFinding, NoticeKind } from '../core/alerts/judge.ts';
import type { RuleName } from '../core/alerts/rule.ts';
import type { Records, Statement } from '../core/sql/records.ts';

type Channel = 'email' | 'webhook';

/** Where something is told. */
export interface Recipient {
  /** Whose it is; empty for the recipients that the configuration names. */
  readonly accountId: string;
  readonly channel: Channel;
  /** A member, an address that the configuration names, or empty for a webhook. */
  readonly target: string;
}

/** The recipients that the configuration names. */
export interface OwnRecipients {
  readonly email: readonly string[];
  readonly hasWebhook: boolean;
  /** Whether they are also told of what concerns one account. */
  readonly accounts: boolean;
}

/** What a notification says of an alert. */
export interface Facts {
  readonly alert: string;
  readonly rule: RuleName | 'test';
  readonly accountId: string | null;
  /** Null for the installation's. */
  readonly account: string | null;
  readonly subject: string;
  readonly detail: string;
  readonly place: string;
  /** Unix ms. */
  readonly since: number;
}

export interface AccountRecipients {
  readonly name: string;
  readonly recipients: readonly Recipient[];
}

/** Names and recipients of these accounts. */
export async function readRecipients(
  records: Records,
  accounts: readonly (string | null)[],
): Promise<ReadonlyMap<string, AccountRecipients>> {
  const recipients = new Map<string, AccountRecipients>();
  for (const accountId of new Set(accounts)) {
    if (accountId === null) continue;
    const answer = await records.transact([
      { sql: 'SELECT name FROM account WHERE id = $1', args: [accountId] },
      {
        sql: `SELECT alert_subscriber.person_id AS id ${SUBSCRIBED} AND alert_subscriber.account_id = $1`,
        args: [accountId],
      },
      { sql: 'SELECT 1 AS there FROM alert_webhook WHERE account_id = $1', args: [accountId] },
    ]);
    const [[account] = [], people = [], [webhook] = []] = answer.done ? answer.rows : [];
    recipients.set(accountId, {
      name: String(account?.name ?? accountId),
      recipients: [
        ...people.map(({ id }): Recipient => ({ accountId, channel: 'email', target: String(id) })),
        ...(webhook === undefined ? [] : [{ accountId, channel: 'webhook', target: '' } as const]),
      ],
    });
  }
  return recipients;
}

interface Told {
  readonly kept: Omit<AlertFinding, 'level'> & { readonly id: string; readonly firingSince: number | null };
  readonly notice: NoticeKind;
}

interface Reach {
  readonly recipients: ReadonlyMap<string, AccountRecipients>;
  readonly own: OwnRecipients;
  readonly now: number;
}

export function noticeSteps(
  records: Pick<Records, 'random'>,
  { kept, notice }: Told,
  { recipients, own, now }: Reach,
): Statement[] {
  const { id, rule, accountId, subject, detail, place, firingSince } = kept;
  const account = accountId === null ? undefined : recipients.get(accountId);
  const facts: Facts = {
    ...{ alert: id, rule, accountId, account: account?.name ?? null },
    ...{ subject, detail, place, since: firingSince ?? now },
  };
  const wanted = [
    ...(account?.recipients ?? []),
    ...(accountId === null || own.accounts ? placesOf(own) : []),
  ];
  return wanted.map((to) => noticeStep(records, to, { kind: notice, facts, now, dueAt: now }));
}

function placesOf({ email, hasWebhook }: OwnRecipients): Recipient[] {
  return [
    ...email.map((target): Recipient => ({ accountId: '', channel: 'email', target })),
    ...(hasWebhook ? [{ accountId: '', channel: 'webhook', target: '' } as const] : []),
  ];
}

interface NewNotice {
  readonly kind: NoticeKind | 'test';
  readonly facts: Facts;
  readonly now: number;
  /** Null: whoever writes it sends it, too. */
  readonly dueAt: number | null;
}

function noticeStep(
  { random }: Pick<Records, 'random'>,
  { accountId, channel, target }: Recipient,
  { kind, facts, now, dueAt }: NewNotice,
): Statement {
  return {
    sql: `INSERT INTO alert_notice (id, alert_id, account_id, channel, target, kind, at, facts, due_at)
      VALUES ($1, $2, $3, $4, $5, $6, CAST($7 AS BIGINT), $8, CAST($9 AS BIGINT))`,
    args: [
      ...[mintListId('aln', now, random), facts.alert, accountId, channel, target, kind],
      ...[now, JSON.stringify(facts), dueAt],
    ],
  };
}
