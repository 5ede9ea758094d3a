/** Endpoints of webhooks that get nothing, or take nothing. */
import { query, type Records } from '../../core/sql/records.ts';

export interface WebhookWarning {
  readonly name: string;
  readonly detail: string;
}

/** Shorter failures are the endpoint's own affair. */
const FAILING_MS = 3_600_000;

/** Without their addresses, which may hold a token. */
export async function findWebhookWarnings(records: Records, now: number): Promise<WebhookWarning[]> {
  const rows = await query(
    records,
    `SELECT webhook.id, account.name, disabled_at, failing_since, last_failure
      FROM webhook JOIN account ON account.id = account_id
      WHERE disabled_at IS NOT NULL OR failing_since <= $1 ORDER BY webhook.id`,
    now - FAILING_MS,
  );
  return rows.map(({ id, name, disabled_at: disabledAt, failing_since: since, last_failure: failure }) => {
    const last = failure === null ? '' : `, last with: ${failure}`;
    const detail =
      disabledAt === null
        ? `has taken nothing since ${instant(since)}${last}; see to it, it is disabled after five days`
        : `is disabled since ${instant(disabledAt)}${last}; enable it when it works again, or remove it`;
    return { name: `webhook ${id} of ${name}`, detail };
  });
}

const instant = (at: unknown): string => new Date(Number(at)).toISOString();
