/**
 * A fourth list, of faults in what the world says that it plays, by somebody who knew neither the model nor what histories are drawn. None
 * is dropped because it is not found. Above each stands the sentence of the documents that it violates.
 */
import type { Edit } from './invented.ts';
export const INVENTED_FOURTH: readonly Edit[] = [
  // docs/api.md: "A request that was refused leaves its key free: repeat it under the same key, also with another body."
  {
    breaks: 'a request that a budget refused leaves its Idempotency-Key free',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: `    if (reserved.kind === 'exhausted') {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      return reserved;
    }`,
    to: `    if (reserved.kind === 'exhausted') return reserved;`,
  },
  // docs/twilio.md: "A wrong code uses up a guess of the newest code; when that has none left, of the one before."
  {
    breaks: 'a wrong code for a number goes to an older live code once the newest has no guesses left',
    file: 'src/store/sqlite/verifications/by-number.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    from: 'WHERE ${isLive} AND guesses_left > 0',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    to: 'WHERE ${isLive}',
  },
  // docs/personal-data.md: "Times of sends and of wrong codes, under the keyed hash of the destination, as long as limits count them"
  // stay; "Without them an erasure would be a way round the limits".
  {
    breaks: 'an erasure leaves the times of wrong codes to the limit of the number',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: `      for (const each of belongings) each.run(id);
`,
    to: `      for (const each of belongings) each.run(id);
      db.prepare('DELETE FROM failed_guess WHERE verification_id = ?').run(id);
`,
  },
  // docs/budgets.md: "`messages` counts a message once, however many carriers are asked and however often."
  {
    breaks: 'a message that was sent for nothing still counts in a budget of messages',
    file: 'src/store/sqlite/budgets/reservations.ts',
    from: 'const [cost, count] = [kept.held - (kept.spent ?? 0), kept.spent === null ? 1 : 0];',
    to: 'const [cost, count] = [kept.held - (kept.spent ?? 0), kept.spent ? 0 : 1];',
  },
  // docs/budgets.md: "a node dies while it sends | everything that it may have sent; another node reserves again before it asks a
  // carrier"
  {
    breaks: 'what a round may have sent before a crash counts in the budgets',
    file: 'src/store/sqlite/budgets/reservations.ts',
    from: 'const spent = kept.underWay ? (kept.spent ?? 0) + worst : kept.spent;',
    to: 'const { spent } = kept;',
  },
  // docs/carriers.md: "**accepted** ends the round. If the carrier sends receipts and reports the message undelivered while the code
  // is still useful, the next carrier gets it."
  {
    breaks: 'a start sends nothing again that a carrier took and has not reported yet',
    file: 'src/store/sqlite/messages/queue.ts',
    from: 'UPDATE delivery SET due_at = 0 WHERE due_at < expires_at',
    to: 'UPDATE delivery SET due_at = 0 WHERE due_at <= expires_at',
  },
  // docs/routing.md: "The message goes on to the next channel when all carriers of the channel have refused it, or when the last carrier
  // that took it reports it undelivered."
  {
    breaks:
      'a late report about the first channel sends nothing while a later channel waits for its own report',
    file: 'src/store/sqlite/messages/receipts.ts',
    from: '(fence, position) > (:fence, :position)',
    to: '(fence, position) < (:fence, :position)',
  },
  // docs/routing.md: "The message goes on to the next channel when all carriers of the channel have refused it, or when the last carrier
  // that took it reports it undelivered."
  {
    breaks: 'what the only carrier of a channel reports undelivered goes on by the next channel',
    file: 'src/delivery/round.ts',
    from: 'const isReported = answer.receiptFollows === true && (others || leg !== undefined);',
    to: 'const isReported = answer.receiptFollows === true && others;',
  },
  // docs/configuration.md: "**Live** options take effect without a restart, when the running service reads its configuration again";
  // carriers and routes: "All of them are *live*."
  {
    breaks: 'a reload puts a changed daily cap in force',
    file: 'src/core/sending/daily-cap.ts',
    from: `  isSame({ name, max }: { readonly name: string; readonly max: number }): boolean {
    return name === this.#name && max === this.#max;`,
    to: `  isSame({ name }: { readonly name: string; readonly max: number }): boolean {
    return name === this.#name;`,
  },
  // docs/keys.md: "Only owners rotate it, because rotating shows the secret. Only owners change its restrictions or put off its expiry."
  {
    breaks: 'only owners change the restrictions of a key that may bring codes',
    file: 'src/accounts/account-keys.ts',
    from: `(custom_codes
              AND restrictions = coalesce($5, restrictions)
              AND ($6 = 0`,
    to: `(custom_codes
              AND ($6 = 0`,
  },
  // docs/portal.md: "An account always keeps an owner: the last one can be neither removed nor demoted."
  {
    breaks: 'owners of other accounts do not stand in for the last owner of an account',
    file: 'src/accounts/members.ts',
    from: `WHERE other.account_id = $1 AND other.role = 'owner' AND other.person_id <> $2`,
    to: `WHERE other.role = 'owner' AND other.person_id <> $2`,
  },
  // docs/portal.md: "A session ends after twelve hours without use (which is noted once a minute), and after seven days at most."
  {
    breaks: 'a request does not bring a session back that ended for want of use',
    file: 'src/identity/sign-in/session.ts',
    from: `AND last_used_at < $3 AND last_used_at > $4 AND created_at > $5',
      args: [hash, now, now - TOUCH_MS, ...bounds],`,
    to: `AND last_used_at < $3',
      args: [hash, now, now - TOUCH_MS],`,
  },
  // docs/keys.md: "A key gets back in full the numbers that it asked for, and its successor by rotation gets those of the key before.
  // Every other key of the account gets them masked".
  {
    breaks:
      'the successor of a key is shown the numbers of the key before, and that key not those of its successor',
    file: 'src/core/verification/reading/shown-number.ts',
    from: '(await isSuccessor(keyId, askedBy))',
    to: '(await isSuccessor(askedBy, keyId))',
  },
  // docs/portal.md: "Five in an hour for an account [...]. A test that is refused for a limit, a budget or the list below takes its
  // place too".
  {
    breaks: 'a test of a carrier that was refused after it was admitted takes its place in the hour',
    file: 'src/accounts/carrier-tests.ts',
    from: `'UPDATE carrier_test SET key_hash = id WHERE id = $1'`,
    to: `'DELETE FROM carrier_test WHERE id = $1'`,
  },
  // docs/portal.md: "**Verifications.** One line for each code, fifty at a time, newest first."
  {
    breaks: 'the next page of verifications begins with the one right after the page before',
    file: 'src/store/shared/archive-page.ts',
    from: 'endAt(found.length > limit ? verifications.at(-1) : floor)',
    to: 'endAt(found.length > limit ? found.at(-1) : floor)',
  },
  // docs/webhooks.md: "`verification.expired` | the code expired or was ended early (`at` says when), was not confirmed, and had guesses
  // left."
  {
    breaks: 'the webhook of a code that was ended before its time says when it was ended',
    file: 'src/store/sqlite/events/due.ts',
    from: 'at: Number(endedAt ?? expiresAt) }',
    to: 'at: Number(expiresAt) }',
  },
  // docs/webhooks.md: "Messages are signed according to Standard Webhooks, and are sent again until your server accepts them."
  {
    breaks: 'what came back from an endpoint is written once the store works again',
    file: 'src/events/sender.ts',
    from: 'for (const { leased, outcomes } of parts) leased.outcomes.unshift(...outcomes);',
    to: 'for (const { outcomes } of parts) this.#unwritten -= outcomes.length;',
  },
  // docs/guard.md: "Your own rules beat the guard. They take effect within a second, on every node".
  {
    breaks: 'a rule of the guard that is lifted ends within a second',
    file: 'src/accounts/guarding/guard-rules.ts',
    from: 'transact([COUNT_UP, entry, remove])',
    to: 'transact([entry, remove])',
  },
  // docs/hooks.md: "For Clerk it is the same `svix-id` within 24 hours."
  {
    breaks: 'an event of Clerk that comes again under its id after minutes sends nothing',
    file: 'src/http/hooks/systems.ts',
    from: '{ repetition: id, repetitionMs: undefined }',
    to: '{ repetition: id, repetitionMs: RETRIED_WITHIN_MS }',
  },
  // docs/do-not-send.md: "**A range** is the beginning of numbers [...]. It takes effect within a second."
  {
    breaks: 'a range that is taken off the do-not-send list is sent to again within a second',
    file: 'src/accounts/blocking/blocked-ranges.ts',
    from: 'return (await records.transact([remove, auditStep(records, entry)], true)).done;',
    to: 'return (await records.transact([remove, auditStep(records, entry)])).done;',
  },
];
