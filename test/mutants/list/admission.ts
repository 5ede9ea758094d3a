/** Which requests the service takes: by their key, their address and their size. */
import type { Mutant } from '../mutant.ts';

const REQUEST = ['src/core/verification/verifier-request.test.ts'];
const SQLITE = ['test/store/sqlite.test.ts'];
const KEYWORDS = ['src/core/blocking/keyword.test.ts'];
const LIST = 'do-not-send list';
const NUMBERS = 'src/accounts/blocking/blocked-numbers.ts';

export const ADMISSION: readonly Mutant[] = [
  {
    breaks: 'a revoked key is refused',
    file: 'src/http/admission/authenticator.ts',
    from: 'found === undefined || found.revokedAt !== null ? null',
    to: 'found === undefined ? null',
    tests: ['src/http/admission/authenticator.test.ts'],
  },
  {
    breaks: 'a key with one restriction, of channels or of countries, is held to it',
    file: 'src/http/admission/authenticator.ts',
    from: 'channels.length > 0 || countries.length > 0',
    to: 'channels.length > 0 && countries.length > 0',
    tests: ['test/portal/keys.test.ts'],
  },
  {
    breaks: 'a client does not choose the address that it seems to come from',
    file: 'src/http/proxy/client-address.ts',
    from: 'hops.findLast((remoteAddress)',
    to: 'hops.find((remoteAddress)',
    tests: ['src/http/proxy/client-address.test.ts'],
  },
  {
    breaks: 'without a token only this machine reads the metrics',
    file: 'src/http/routes/operation.ts',
    from: 'if (metricsToken === undefined && isLocal(request)) done();',
    to: 'if (metricsToken === undefined || isLocal(request)) done();',
    tests: ['src/http/routes/operation.test.ts'],
  },
  {
    breaks: 'a body is read up to 16 KiB',
    file: 'src/http/server.ts',
    from: '    bodyLimit: MAX_BODY_BYTES,\n',
    to: '',
    tests: ['src/http/validation.test.ts'],
  },
  {
    breaks: 'a key that is revoked while it is looked up is not remembered',
    file: 'src/http/admission/authenticator.ts',
    from: '    generation++;\n',
    to: '',
    tests: ['src/http/admission/authenticator.test.ts'],
  },
  {
    breaks: 'a key that another process revoked is forgotten',
    file: 'src/http/admission/authenticator.ts',
    from: '      if (found !== revision) forget();\n',
    to: '',
    tests: ['src/http/admission/authenticator.test.ts'],
  },
];

/** The do-not-send list. */
export const BLOCKING: readonly Mutant[] = [
  {
    breaks: 'a number on the list is refused',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: 'if (isBlocked(v)) {',
    to: 'if (isBlocked(v) && v.test) {',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'a refused number keeps no Idempotency-Key',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: `      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      return { kind: 'blocked' };`,
    to: "      return { kind: 'blocked' };",
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'test keys have no list',
    file: 'src/store/sqlite/verifications/blocked.ts',
    from: '!test && find',
    to: 'find',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'an erasure leaves the list alone unless it is told otherwise',
    file: 'src/accounts/numbers.ts',
    from: 'alsoListings ? listings : []',
    to: 'listings',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'of concurrent erasures one takes a number off the list',
    file: 'src/accounts/blocking/blocked-numbers.ts',
    from: `    sql: 'DELETE FROM blocked_number WHERE hash IN ($1, $2) RETURNING id',
    args: [current, earlier],
    guard: true,`,
    to: `    sql: 'DELETE FROM blocked_number WHERE hash IN ($1, $2) RETURNING id',
    args: [current, earlier],`,
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'a number hashed under the previous secret is refused',
    file: 'src/store/sqlite/verifications/blocked.ts',
    from: "hashes.join(', ')",
    to: 'hashes[0]',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'PostgreSQL refuses a number on the list before it counts for the key',
    file: 'src/store/postgres/schema/functions/issue.sql',
    from: `      admitted[other.number] := false;
      events[other.number] := NULL;
      RETURN QUERY
      SELECT other.number::integer, 'blocked'`,
    to: `      RETURN QUERY
      SELECT other.number::integer, 'blocked'`,
    tests: ['test/store/postgres/contract.test.ts'],
    named: LIST,
  },
  {
    breaks: 'a range of an account is refused',
    file: 'src/core/verification/resolve.ts',
    from: 'blockedRanges !== undefined && isInRanges(blockedRanges, destination.address)',
    to: 'blockedRanges !== undefined && isInRanges(blockedRanges, channel)',
    tests: REQUEST,
  },
  {
    breaks: 'an account has only so many ranges',
    file: 'src/accounts/blocking/blocked-ranges.ts',
    from: 'WHERE (SELECT count(*) FROM blocked_range WHERE account_id = $1) <',
    to: 'WHERE (SELECT count(*) FROM blocked_range WHERE account_id = $1) / 2 <',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'a range is no number of a person',
    file: 'src/core/blocking/range.ts',
    from: 'parseAnyDestination(prefix).ok',
    to: "parseAnyDestination('').ok",
    tests: ['src/core/blocking/range.test.ts'],
  },
  {
    breaks: 'a number known under the previous secret is one row',
    file: NUMBERS,
    from: 'WHERE NOT EXISTS (SELECT 1 FROM blocked_number WHERE hash = $8)',
    to: 'WHERE $8 IS NULL OR true',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'nothing is recorded where nothing was added',
    file: NUMBERS,
    from: ' HAVING count(*) > 0',
    to: '',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'an entry is taken off by its own account',
    file: NUMBERS,
    from: 'WHERE id = $1 AND account_id = $2 RETURNING id',
    to: 'WHERE id = $1 AND $2 <> $1 RETURNING id',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'two rows of one number become one',
    file: NUMBERS,
    from: "{ sql: 'DELETE FROM blocked_number WHERE id = $1 AND number_sealed = $2', args: [id, sealed] },",
    to: '',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'a message that says more is no keyword',
    file: 'src/core/blocking/keyword.ts',
    from: 'text.length > LONGEST ?',
    to: 'text.length < 0 ?',
    tests: KEYWORDS,
  },
  {
    breaks: 'accents do not matter',
    file: 'src/core/blocking/keyword.ts',
    from: ".replace(ACCENTS, '')",
    to: '',
    tests: KEYWORDS,
  },
  {
    breaks: 'a flood of messages does not wait in memory',
    file: 'src/accounts/blocking/opt-outs.ts',
    from: 'underWay >= MOST_UNDER_WAY',
    to: 'underWay < 0',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'a flood of messages writes one entry of the audit log an hour',
    file: 'src/accounts/blocking/opt-outs.ts',
    from: 'WHERE NOT EXISTS (SELECT 1 FROM audit_entry WHERE',
    to: 'WHERE NOT EXISTS (SELECT 1 FROM audit_entry WHERE false AND',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'the sender is who wrote through the same carrier',
    file: 'src/store/sqlite/messages/senders.ts',
    from: 'AND carrier = :carrier AND recipient_tag = :tag',
    to: 'AND carrier IS NOT NULL AND :carrier IS NOT NULL AND recipient_tag = :tag',
    tests: SQLITE,
    named: LIST,
  },
  {
    breaks: 'a receipt is nothing that a person said',
    file: 'src/carriers/smpp/protocol/inbound.ts',
    from: '(message.esmClass & MESSAGE_TYPE) !== ORDINARY_MESSAGE || ',
    to: '',
    tests: ['src/carriers/smpp/protocol/inbound.test.ts'],
  },
  {
    breaks: 'STOP is obeyed by who was written to under the secret before',
    file: 'src/accounts/blocking/opt-outs.ts',
    from: 'recipientTags: keyring.recipientTags(address) }',
    to: 'recipientTags: [keyring.recipientTag(address)] }',
    tests: SQLITE,
    named: LIST,
  },
];
