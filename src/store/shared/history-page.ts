/** What both stores share when they read what was sent, oldest first. */

/**
 * Of the rows of live keys, but codes that clients brought, with ids between two others. There is no index of an account's verifications, so pages are bounded
 * by the rows that are looked at.
 */
export const historyAt = (p: {
  readonly after: string;
  readonly last: string;
  readonly from: string;
  readonly to: string;
  readonly accountId: string;
}) => `
  SELECT id, account_id AS "accountId", key_id AS "keyId", channel, country, destination_sealed AS "destinationSealed",
    client_network AS "clientNetwork", guesses_left AS "guessesLeft", created_at AS "createdAt",
    confirmed_at AS "confirmedAt",
    (SELECT CAST(coalesce(sum(cost), 0) AS BIGINT) FROM attempt WHERE verification_id = verification.id) AS cost
  FROM verification WHERE id > ${p.after} AND id <= ${p.last} AND NOT test AND NOT brought
    AND created_at >= ${p.from} AND created_at < ${p.to} AND (${p.accountId} IS NULL OR account_id = ${p.accountId})
  ORDER BY id`;
