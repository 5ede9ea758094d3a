import type { Mutant } from '../mutant.ts';

const REQUEST = ['src/core/verification/verifier-request.test.ts'];
const CAP = ['src/core/verification/verifier-cap.test.ts'];
const CONFIRM = ['src/core/verification/verifier-confirm.test.ts'];
const INQUIRY = ['src/core/verification/inquiry.test.ts'];
const PROGRESS = ['src/core/verification/progress.test.ts'];
const IDEMPOTENCY = ['src/core/verification/verifier-idempotency.test.ts'];

const SQLITE = ['test/store/sqlite.test.ts'];
const KEYWORDS = ['src/core/blocking/keyword.test.ts'];
const LIST = 'do-not-send list';
const NUMBERS = 'src/accounts/blocking/blocked-numbers.ts';

export const VERIFIER: readonly Mutant[] = [
  {
    breaks: 'a key uses only the channels it was given',
    file: 'src/core/verification/verifier.ts',
    from: 'if (restrictions !== undefined && !allows(restrictions.channels, channel)) {',
    to: 'if (restrictions === null) {',
    tests: REQUEST,
  },
  {
    breaks: 'live keys pass the screen of live keys',
    file: 'src/core/verification/verifier.ts',
    from: 'test ? screens.test : screens.live',
    to: 'screens.test',
    tests: REQUEST,
  },
  {
    breaks: 'nothing is sent to countries that the service does not name',
    file: 'src/core/verification/verifier.ts',
    from: 'if (!allows(countries, destination.country)) {',
    to: 'if (countries === null) {',
    tests: REQUEST,
  },
  {
    breaks: 'a place within the cap is given back when nothing was written',
    file: 'src/core/verification/verifier.ts',
    from: 'if (error instanceof StoreUnavailable) cap.giveBack(place);',
    to: '',
    tests: CAP,
  },
  {
    breaks: 'a place within the cap is kept if the verification may have been written',
    file: 'src/core/verification/verifier.ts',
    from: 'if (error instanceof StoreUnavailable) cap.giveBack(place);',
    to: 'cap.giveBack(place);',
    tests: CAP,
  },
  {
    breaks: 'a place within the cap is given back after a replay or a refusal',
    file: 'src/core/verification/verifier.ts',
    from: "if (outcome.kind !== 'issued') cap.giveBack(place);",
    to: '',
    tests: CAP,
  },
  {
    breaks: 'a key sends only to the countries it was given',
    file: 'src/core/verification/verifier.ts',
    from: '!allows(restrictions.countries, destination.country)',
    to: 'restrictions === null',
    tests: REQUEST,
  },
  {
    breaks: 'an account sends only to its countries',
    file: 'src/core/verification/verifier.ts',
    from: '!allows(settings.countries, destination.country)',
    to: 'settings === null',
    tests: REQUEST,
  },
  {
    breaks: "a confirm's Idempotency-Key is separate from a request's",
    file: 'src/core/verification/verifier.ts',
    from: '`confirm\\0$',
    to: '`$',
    tests: CONFIRM,
  },
  {
    breaks: 'the Idempotency-Key of a confirm is bound to the code',
    file: 'src/core/verification/verifier.ts',
    from: 'idempotencyOf(keyHash, mac)',
    to: 'idempotencyOf(keyHash, { ...mac, current: id })',
    tests: CONFIRM,
  },
  {
    breaks: 'the Idempotency-Key of a live request is not answered with a test verification',
    file: 'src/core/verification/verifier.ts',
    from: "{test ? 'test' : 'live'} ",
    to: "{''} ",
    tests: IDEMPOTENCY,
  },
  {
    breaks: 'requests with one Idempotency-Key go one at a time',
    file: 'src/core/verification/verifier.ts',
    from: "if (this.#inProgress.has(place)) return { kind: 'idempotency-in-progress' };",
    to: '',
    tests: IDEMPOTENCY,
  },
  {
    breaks: "one account's Idempotency-Key does not delay another account",
    file: 'src/core/verification/verifier.ts',
    from: '{accountId} $',
    to: '{keyHash} $',
    tests: IDEMPOTENCY,
  },
  {
    breaks: 'an Idempotency-Key is in progress only while its request is',
    file: 'src/core/verification/verifier.ts',
    from: 'this.#inProgress.delete(place);',
    to: '',
    tests: IDEMPOTENCY,
  },
  {
    breaks: 'the first lease counts from before the store was asked',
    file: 'src/core/verification/verifier.ts',
    from: 'handOver(message, createdAt, leasedSince);',
    to: 'handOver(message, createdAt, clock.steady());',
    tests: REQUEST,
  },
  {
    breaks: 'a repetition is answered even if the cap of its route is used up',
    file: 'src/core/verification/verifier.ts',
    from: 'if (replay !== undefined) return replay;',
    to: '',
    tests: CAP,
  },
  {
    breaks: 'a call that no carrier can speak is refused',
    file: 'src/core/verification/verifier.ts',
    from: 'if (!canSpeak(found.route, locale)) {',
    to: "if (locale === '') {",
    tests: REQUEST,
  },
  {
    breaks: 'a key of the other kind sees nothing of a verification',
    file: 'src/core/verification/inquiry.ts',
    from: ' || found.verification.test !== test',
    to: '',
    tests: INQUIRY,
  },
  {
    breaks: 'an inquiry is a request of its key',
    file: 'src/core/verification/inquiry.ts',
    from: 'if (refusal !== undefined) return',
    to: 'if (refusal === null) return',
    tests: INQUIRY,
  },
  {
    breaks: 'a destination whose secret is gone is left out',
    file: 'src/core/verification/inquiry.ts',
    from: 'keyring.canOpen(destinationSealed)',
    to: 'true',
    tests: INQUIRY,
  },
  {
    breaks: 'a receipt says more than the answer before it',
    file: 'src/core/verification/progress.ts',
    from: 'if (receipt !== null) return receipt.status;',
    to: '',
    tests: PROGRESS,
  },
  {
    breaks: 'what was confirmed is confirmed',
    file: 'src/core/verification/progress.ts',
    from: "if (verification.confirmedAt !== null) return 'confirmed';",
    to: '',
    tests: PROGRESS,
  },
  {
    breaks: 'what is still queued has failed once its code has expired',
    file: 'src/core/verification/progress.ts',
    from: 'inQueue && !isOver',
    to: 'inQueue',
    tests: PROGRESS,
  },
  {
    breaks: 'a new verification is leased to the node that writes it',
    file: 'src/core/verification/verifier.ts',
    from: `leaseUntil: createdAt + lease,`,
    to: `leaseUntil: createdAt,`,
    tests: REQUEST,
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
    breaks: 'a number hashed under the previous secret is refused',
    file: 'src/store/sqlite/verifications/blocked.ts',
    from: "OWN_HASHES.join(', ')",
    to: 'OWN_HASHES[0]',
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
    file: 'src/core/verification/verifier.ts',
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
];
