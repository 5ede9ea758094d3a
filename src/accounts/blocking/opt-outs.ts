/** What people send back: STOP puts their number on the do-not-send list of the account that wrote to them, START takes it off. */
import { A_RECIPIENT } from '../../core/accounts/actor.ts';
import type { AuditAction } from '../../core/accounts/audit-action.ts';
import { type Keyword, readKeyword } from '../../core/blocking/keyword.ts';
import type { SenderFinder } from '../../core/blocking/sender.ts';
import { parseAnyDestination } from '../../core/destination/destination.ts';
import { StoreUnavailable } from '../../core/errors/store-failure.ts';
import { logOnceAMinute } from '../../core/reporting/log-once-a-minute.ts';
import type { Clock } from '../../core/seams/clock.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import type { Hear, InboundMessage } from '../../core/sending/carrier.ts';
import type { Records, Step } from '../../core/sql/records.ts';
import { auditStep } from '../audit.ts';
import { lockAccount } from '../standing.ts';
import { entryIdsFrom } from '../token.ts';
import { addNumber, removeNumber } from './blocked-numbers.ts';
import { findMessengerUser } from './messenger-users.ts';

/**
 * What a message did. `unchanged`: the number was already on the list, or not on it. `unknown-sender`: it holds a keyword, and
 * nothing was sent to its number through this carrier, or the carrier does not tell the number. `none`: it holds no keyword.
 */
type Effect = 'stopped' | 'started' | 'unchanged' | 'unknown-sender' | 'none';

interface OptOutDeps {
  readonly store: Records & SenderFinder;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly count: (carrier: string, effect: Effect) => void;
  readonly log: (level: 'info' | 'warn', message: string, fields: Record<string, unknown>) => void;
}

/** Looks and writes at once. The carrier sends what comes beyond that again. */
const MOST_UNDER_WAY = 100;

/** Somebody may alternate between the two for days: the audit log gets one entry an hour for each. */
const TOGETHER_MS = 3_600_000;

const ACTIONS = { stop: 'number.stopped', start: 'number.started' } as const satisfies Record<
  Keyword,
  string
>;

/** Resolves when what the message asks for is durable. */
export function createOptOuts({ store, keyring, clock, count, log }: OptOutDeps): Hear {
  const quietLog = logOnceAMinute(
    (level: 'warn', message, fields = {}) => log(level, message, fields),
    clock.steady,
  );
  let underWay = 0;

  async function obey(
    { carrier, from, orFrom, user }: Omit<InboundMessage, 'text'>,
    keyword: Keyword,
  ): Promise<Effect> {
    const known = user && (await findMessengerUser({ records: store, keyring }, user));
    const numbers = [from, orFrom, known].filter((number) => number !== undefined);
    if (numbers.length === 0) {
      // Somebody asked for no more messages, and goes on getting them.
      const message = 'a keyword came from somebody whose number the carrier does not tell';
      quietLog('warn', message, { carrier, keyword });
      return 'unknown-sender';
    }
    for (const number of numbers) {
      const parsed = parseAnyDestination(number);
      const address = parsed.ok ? parsed.destination.address : number;
      const recipientTags = keyring.recipientTags(address);
      const accountId = await store.findSender({ carrier, recipientTags, now: clock.now() });
      if (accountId !== undefined) return change(carrier, accountId, address, keyword);
    }
    log('info', 'a keyword came from a number that nothing was sent to', { carrier, keyword });
    return 'unknown-sender';
  }

  /** The list gets the number that messages are sent to, however it was spelled. */
  async function change(
    carrier: string,
    accountId: string,
    address: string,
    keyword: Keyword,
  ): Promise<Effect> {
    const at = clock.now();
    const step =
      keyword === 'stop'
        ? addNumber({ records: store, keyring }, { accountId, address, source: 'recipient', now: at }).step
        : removeNumber(keyring, accountId, address);
    const steps: Step[] = [lockAccount(accountId), { ...step, guard: true }];
    const { done } = await store.transact([
      ...steps,
      ...noted(store, accountId, ACTIONS[keyword], carrier, at),
    ]);
    if (!done) return 'unchanged';
    return keyword === 'stop' ? 'stopped' : 'started';
  }

  return async ({ text, ...message }) => {
    const { carrier } = message;
    const keyword = readKeyword(text);
    if (keyword === undefined) return count(carrier, 'none');
    if (underWay >= MOST_UNDER_WAY) throw new StoreUnavailable('too many messages from people at once');
    underWay += 1;
    try {
      count(carrier, await obey(message, keyword));
    } finally {
      underWay -= 1;
    }
  };
}

/** The account is locked, so of concurrent ones each sees the entry of the one before. */
function noted(
  records: Records,
  accountId: string,
  action: AuditAction,
  carrier: string,
  at: number,
): [Step, Step] {
  const since = entryIdsFrom(at - TOGETHER_MS);
  const subject = `by ${carrier}`;
  const entry = auditStep(records, { accountId, by: A_RECIPIENT, action, subject, detail: '', at });
  const same = `account_id = $1 AND action = $6 AND subject = $7 AND id >= $9`;
  return [
    {
      sql: `UPDATE audit_entry SET times = times + 1
        WHERE account_id = $1 AND action = $2 AND subject = $3 AND id >= $4`,
      args: [accountId, action, subject, since],
    },
    {
      sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail)
        SELECT $1, $2, CAST($3 AS BIGINT), $4, $5, $6, $7, $8
        WHERE NOT EXISTS (SELECT 1 FROM audit_entry WHERE ${same})`,
      args: [...entry.args, since],
    },
  ];
}
