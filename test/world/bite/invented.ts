/**
 * Faults that somebody invented who knew neither the model nor what histories are drawn. None is dropped because it is not found.
 * Above each stands the sentence of the documents that it violates.
 */
import type { Mutant } from '../../mutants/mutant.ts';

export type Edit = Pick<Mutant, 'breaks' | 'file' | 'from' | 'to'>;

export const INVENTED: readonly Edit[] = [
  // docs/routing.md: "The message goes on to the next channel when all carriers of the channel have refused it, or when the last carrier
  // that took it reports it undelivered."
  {
    breaks: 'a message that its last carrier reports undelivered goes on by the next channel of its route',
    file: 'src/delivery/round.ts',
    from: 'answer.receiptFollows === true && (others || leg !== undefined)',
    to: 'answer.receiptFollows === true && others',
  },
  // ARCHITECTURE.md: "a submitted one is due at its expiry, when its sealed code is erased."
  {
    breaks: 'a start takes over what was under way, and sends nothing again that waits for a receipt',
    file: 'src/store/sqlite/messages/queue.ts',
    from: "'UPDATE delivery SET due_at = 0 WHERE due_at < expires_at'",
    to: "'UPDATE delivery SET due_at = 0 WHERE due_at <= expires_at'",
  },
  // docs/budgets.md: "a node dies while it sends | everything that it may have sent; another node reserves again before it goes on".
  {
    breaks: 'what a round may have cost that a crash cut off counts as paid, and the next is reserved on top',
    file: 'src/store/sqlite/budgets/reservations.ts',
    from: 'const spent = kept.underWay ? (kept.spent ?? 0) + worst : kept.spent;',
    to: 'const spent = kept.spent;',
  },
  // docs/twilio.md: "The account's and the service's limits of wrong codes for one number hold on top."
  {
    breaks: 'the limits of wrong codes that an account sets hold for checks by number, too',
    file: 'src/core/verification/by-number/by-number.ts',
    from: "'failedGuessesPerDestination', settings);\n      const outcome = await store.confirmByNumber",
    to: "'sendsPerDestination', settings);\n      const outcome = await store.confirmByNumber",
  },
  // docs/api.md: "A key sees the verifications of its own account that a key of the same kind requested. For all others the answer is 404."
  {
    breaks: 'a verification of another account is unknown',
    file: 'src/store/sqlite/verifications/archive.ts',
    from: 'one.get({ accountId: scope.accountId, test, id, now, past })',
    to: 'one.get({ accountId: null, test, id, now, past })',
  },
  // docs/api.md: "Times end to the millisecond. So it is with the window of a limit."
  {
    breaks: 'a request of a key counts no longer in the very millisecond in which the window is over',
    file: 'src/store/sqlite/verifications/request-rings.ts',
    from: 'WHERE requested_at <= excluded.requested_at - window_ms',
    to: 'WHERE requested_at < excluded.requested_at - window_ms',
  },
  // docs/webhooks.md: "An event is written in the same transaction as what happened, so none is lost, whatever crashes."
  {
    breaks: 'each carrier that takes a message is told, also the second of one message',
    file: 'src/store/sqlite/messages/settle.ts',
    from: ', reason, source });',
    to: ', reason });',
  },
  // docs/webhooks.md: "A change takes effect within seconds, on every node."
  {
    breaks: 'an endpoint gets masked numbers and new signatures as soon as somebody decides so',
    file: 'src/events/leased-endpoint.ts',
    from: 'renew(endpoint: Endpoint): void {\n    this.#endpoint = endpoint;',
    to: 'renew(endpoint: Endpoint): void {\n    if (this.#endpoint.url !== endpoint.url) this.#endpoint = endpoint;',
  },
  // docs/personal-data.md: "messages that the simulator delivered: the code, sealed | retention.simulatorMessages, 1 day".
  {
    breaks: 'the code of a message that the simulator delivered is gone with the message',
    file: 'src/store/sqlite/upkeep/purge.ts',
    from: 'DELETE FROM inbox_message WHERE received_at <= :before',
    to: 'DELETE FROM inbox_message WHERE false AND received_at <= :before',
  },
  // docs/api.md: "A request that was refused leaves its key free: repeat it under the same key, also with another body."
  {
    breaks: 'a request that a budget refused leaves its Idempotency-Key free',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: `    if (reserved.kind === 'exhausted') {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      return reserved;
    }`,
    to: "    if (reserved.kind === 'exhausted') return reserved;",
  },
  // docs/api.md: "one string that a live key and a test key use is two."
  {
    breaks: 'an Idempotency-Key of a live key is another one than the same text of a test key',
    file: 'src/core/verification/idempotency.ts',
    from: '{ ...keyring.idempotencyHash(`test\\0$' + '{key}`), withoutKind: hash }',
    to: '{ ...hash, withoutKind: hash }',
  },
  // docs/keys.md: "The old key stays valid for the overlap that you choose, but never beyond its own expiry."
  {
    breaks: 'a key that was rotated works no longer than it would have without',
    file: 'src/accounts/account-keys.ts',
    from: "'UPDATE api_key SET expires_at = $2 WHERE id = $1 AND (expires_at IS NULL OR expires_at > $2)'",
    to: "'UPDATE api_key SET expires_at = $2 WHERE id = $1'",
  },
  // docs/keys.md: "A key sees in full the numbers that it asked codes for. After a rotation, the new key also sees those of the old one.
  // Every other key of the account gets them masked."
  {
    breaks: 'the successor of a key reads its numbers in full, and not the other way round',
    file: 'src/core/verification/reading/shown-number.ts',
    from: '(await isSuccessor(keyId, askedBy))',
    to: '(await isSuccessor(askedBy, keyId))',
  },
  // docs/do-not-send.md: "Each account has a list of numbers and ranges that it sends nothing to."
  {
    breaks: 'a range on the do-not-send list of one account stops nothing of another',
    file: 'src/accounts/keys.ts',
    from: 'FROM blocked_range WHERE blocked_range.account_id = api_key.account_id) AS ranges',
    to: 'FROM blocked_range) AS ranges',
  },
  // docs/operations.md: "Options that are marked live take effect without a restart: carriers"; docs/routing.md: "The service never sends more than the cap".
  {
    breaks: 'a daily cap of a carrier that a reload changes holds from then on',
    file: 'src/reload/running-carriers.ts',
    from: `  const { prices: _, ...before } = options;
  const { prices: __, ...after } = wanted ?? {};`,
    to: `  const { prices: _, dailyCap: _cap, ...before } = options;
  const { prices: __, dailyCap: __cap, ...after } = wanted ?? {};`,
  },
  // docs/api.md: "Of each attempt the first final report counts: undelivered is not taken back by a later delivered".
  {
    breaks: 'the first final receipt of an attempt counts, and a later one changes nothing',
    file: 'src/store/sqlite/messages/receipts.ts',
    from: '{IS_NAMED} AND receipt IS NULL`);',
    to: '{IS_NAMED}`);',
  },
  // docs/twilio.md: "One that was sent before is confirmed by its id, and no approval ends it."
  {
    breaks: 'an approval ends no code that was sent before Twilio Verify was turned on',
    file: 'src/store/sqlite/verifications/end-codes.ts',
    from: 'AND test = :test AND by_number AND',
    to: 'AND test = :test AND',
  },
  // docs/portal.md: "An account always keeps an owner: the last one can be neither removed nor demoted."
  {
    breaks: 'the last owner of an account can be neither removed nor demoted',
    file: 'src/accounts/members.ts',
    from: "AND other.role = 'owner' AND other.person_id <> $2))",
    to: "AND other.role = 'owner'))",
  },
  // docs/personal-data.md: "Without them an erasure would be a way round the limits".
  {
    breaks: 'what was sent to a number counts for the limits after the number was erased, too',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: 'if (blank.run({ id, hashes, now }).changes === 0) remove.run({ id, hashes });',
    to: 'remove.run({ id, hashes });',
  },
  // docs/audit-log.md: "It has full numbers that were shown, and data requests that were answered."
  {
    breaks: 'a copy of what is held about a number is in the audit log, also if only a list held it',
    file: 'src/accounts/numbers.ts',
    from: 'const held = [...found, ...listings];',
    to: 'const held = [...found];',
  },
];
