/**
 * Writes what happened for the endpoints that want to hear of it, inside the batch's transaction. Which account has such endpoints
 * is remembered, so that the others cost no statement. PostgreSQL looks into a table that is empty then.
 */
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { EventType } from '../../../core/events/event.ts';
import { type HotStatement, hotStatements } from '../sql/hot-statement.ts';

interface Endpoint {
  readonly id: string;
  /** Undefined: all. */
  readonly types: ReadonlySet<string> | undefined;
}

export interface EventFacts {
  readonly accountId: string;
  /** Of the verification. */
  readonly id: string;
  readonly at: number;
  readonly carrier?: string | null;
  /** Null: that of the verification. */
  readonly channel?: string | null;
  readonly reason?: string | null;
  /** What told it: which attempt, or a receipt of which; absent where the verification itself did, once. */
  readonly source?: string;
}

export class EventBook {
  readonly #endpoints: ReturnType<DatabaseSync['prepare']>;
  readonly #write: HotStatement;
  readonly #expect: HotStatement;
  /** By account. Undefined: to be looked up. */
  #wanting: ReadonlyMap<string, readonly Endpoint[]> | undefined;

  constructor(db: DatabaseSync) {
    this.#endpoints = db.prepare(
      'SELECT id, account_id, types FROM webhook WHERE disabled_at IS NULL ORDER BY id',
    );
    const prepare = hotStatements(db);
    this.#write = prepare(`
      INSERT INTO webhook_message (id, webhook_id, type, verification_id, carrier, channel, reason, at, due_at)
      VALUES (:id, :webhookId, :type, :verificationId, :carrier, :channel, :reason, :at, 0)
      ON CONFLICT (id) DO NOTHING`);
    this.#expect = prepare(
      'INSERT OR IGNORE INTO webhook_expiry (expires_at, verification_id) VALUES (:expiresAt, :id)',
    );
  }

  /** What is remembered of endpoints may be outdated. */
  forget(): void {
    this.#wanting = undefined;
  }

  note(
    type: EventType,
    { accountId, id, at, carrier = null, channel = null, reason = null, source }: EventFacts,
  ): void {
    for (const endpoint of this.#of(accountId)) {
      if (!wants(endpoint, type)) continue;
      this.#write.run({
        id: messageId(id, [
          endpoint.id,
          id,
          type,
          ...(source === undefined ? [] : [source, carrier ?? '', channel ?? '']),
        ]),
        ...{ webhookId: endpoint.id, type, verificationId: id },
        ...{ carrier, channel, reason, at },
      });
    }
  }

  /** Notes when a code expires, if somebody wants to hear of it. */
  expect(accountId: string, id: string, expiresAt: number): void {
    const endpoints = this.#of(accountId);
    if (endpoints.some((endpoint) => wants(endpoint, 'verification.expired')))
      this.#expect.run({ id, expiresAt });
  }

  #of(accountId: string): readonly Endpoint[] {
    this.#wanting ??= this.#look();
    return this.#wanting.get(accountId) ?? NONE;
  }

  #look(): ReadonlyMap<string, readonly Endpoint[]> {
    const endpoints = this.#endpoints.all().map(({ id, account_id: account, types }) => {
      const list: readonly string[] = JSON.parse(String(types));
      return {
        account: String(account),
        id: String(id),
        types: list.length === 0 ? undefined : new Set(list),
      };
    });
    return Map.groupBy(endpoints, ({ account }) => account);
  }
}

const NONE: readonly Endpoint[] = [];

const wants = ({ types }: Endpoint, type: EventType): boolean => types === undefined || types.has(type);

/**
 * By what happened, whenever it is written: after a restore the same is told under the same id. In order of the verifications' time,
 * so that the index grows at its end.
 */
const messageId = (verificationId: string, happened: readonly string[]): string => {
  const digest = createHash('sha256').update(happened.join('\n')).digest('hex');
  return `msg_${verificationId.slice(4, 16)}${digest.slice(0, 20)}`;
};
