import type { ApiKey } from '../core/accounts/api-key.ts';
import { readPredecessors } from '../core/accounts/succession.ts';
import type { Row } from '../core/sql/records.ts';

export const COLUMNS = `api_key.id AS id, api_key.account_id AS account_id, api_key.name AS name,
  CASE WHEN test THEN 1 ELSE 0 END AS test, prefix, api_key.created_at AS created_at, created_by, last_used_at,
  last_used_from, expires_at, revoked_at, restrictions,
  CASE WHEN custom_codes THEN 1 ELSE 0 END AS custom_codes, replaced_by, predecessors`;

export function apiKey(row: Row): ApiKey {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    name: String(row.name),
    test: row.test === 1,
    prefix: String(row.prefix),
    createdAt: Number(row.created_at),
    createdBy: row.created_by as string | null,
    lastUsedAt: row.last_used_at as number | null,
    lastUsedFrom: row.last_used_from as string | null,
    expiresAt: row.expires_at as number | null,
    revokedAt: row.revoked_at as number | null,
    restrictions: JSON.parse(String(row.restrictions)),
    customCodes: row.custom_codes === 1,
    replacedBy: row.replaced_by as string | null,
    predecessors: readPredecessors(row.predecessors),
  };
}
