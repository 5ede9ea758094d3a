/**
 * A third list, of faults in what the world says that it plays, by somebody who knew neither the model nor what histories are drawn. None
 * is dropped because it is not found. Above each stands the sentence of the documents that it violates.
 */
import type { Edit } from './invented.ts';

export const INVENTED_THIRD: readonly Edit[] = [
  // docs/api.md: "Idempotency keys for `/verify` and `/confirm` are separate, so one string may serve both."
  {
    breaks: 'one string may be the Idempotency-Key of a /verify and of a /confirm',
    file: 'src/core/verification/verifier.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    from: 'hashIdempotencyKey(keyring, caller, `confirm\\0${idempotencyKey}`)',
    to: 'hashIdempotencyKey(keyring, caller, idempotencyKey)',
  },
  // docs/do-not-send.md: "A repetition with its `Idempotency-Key` of a request that was answered before the number or its range was
  // listed gets the same answer as then, and sends nothing."
  {
    breaks:
      'a request that was answered before its number was listed is answered again under its Idempotency-Key',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: `    const replay = v.idempotency === null ? undefined : idempotency.claim(v, v.idempotency);
    if (replay !== undefined) return replay;
    if (isBlocked(v)) {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      return { kind: 'blocked' };
    }`,
    to: `    if (isBlocked(v)) return { kind: 'blocked' };
    const replay = v.idempotency === null ? undefined : idempotency.claim(v, v.idempotency);
    if (replay !== undefined) return replay;`,
  },
  // docs/do-not-send.md: "The number gets on the list of the account whose message this carrier accepted last for it."
  {
    breaks: 'STOP goes to the account whose message the carrier accepted last, whenever it was asked',
    file: 'src/store/sqlite/messages/senders.ts',
    from: 'ORDER BY ended_at DESC, verification_id DESC LIMIT 1',
    to: 'ORDER BY started_at DESC, verification_id DESC LIMIT 1',
  },
  // docs/guard.md: "A rule of one account (`--in-account`, or made by its people) cannot undo a refusal that holds for all accounts. It
  // may refuse what is allowed for all."
  {
    breaks: "an account's own rule refuses what a rule of all accounts allows",
    file: 'src/guard/rules.ts',
    from: 'return (forOne.get(asked.account) ?? NO_RULE)(asked) ?? general;',
    to: 'return general ?? (forOne.get(asked.account) ?? NO_RULE)(asked);',
  },
  // docs/budgets.md: "A new budget, of the service or of an account, also counts waiting messages."
  {
    breaks: 'a budget that is new counts all that a waiting message holds, and not only what it lacks',
    file: 'src/store/sqlite/budgets/reservations.ts',
    from: 'return { charge, cost: cost + (kept?.held ?? 0), count: 1 };',
    to: 'return { charge, cost, count: 1 };',
  },
  // docs/budgets.md: "Test keys, and routes that lead only to the simulator, count in no budget."
  {
    breaks:
      'a message of a test key counts in no budget, by whichever channel and in whichever round it goes',
    file: 'src/core/budgets/funds.ts',
    from: 'if (message.test || asOf === findLack) return undefined;',
    to: 'if (asOf === findLack) return undefined;',
  },
  // docs/twilio.md: "`to` is masked for a key that neither asked for the verification nor gave the number nor the right code"
  {
    breaks: 'a wrong code for a verification of another key shows its number masked',
    file: 'src/core/verification/by-number/by-number.ts',
    from: "return { kind: 'found', address, shown: shown.destination } as const;",
    to: "return { kind: 'found', address, shown: address } as const;",
  },
  // docs/keys.md: "Only owners rotate it, because rotating shows the secret. Only owners change its restrictions or put off its expiry.
  // Developers may rename it, bring its expiry forward, take the permission away, and revoke it."
  {
    breaks: 'a developer cannot take the expiry off a key that may bring codes',
    file: 'src/accounts/account-keys.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    from: 'coalesce(CAST($7 AS bigint), ${NEVER}) <= coalesce(expires_at, ${NEVER})',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    to: 'coalesce(CAST($7 AS bigint), 0) <= coalesce(expires_at, ${NEVER})',
  },
  // docs/api.md: "Times end to the millisecond: what lasts ten minutes is over in the very millisecond in which they are. So it is with
  // the validity of a code, the end of a key, the 24 hours of an `Idempotency-Key`, retention, and the window of a limit."
  {
    breaks: 'a verification is unknown from the very millisecond in which its retention is over',
    file: 'src/store/shared/kept.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    from: 'verification.created_at > ${until}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    to: 'verification.created_at >= ${until}',
  },
  // docs/webhooks.md: "Events that happen while an endpoint is disabled are not kept for it."
  {
    breaks: 'what happens while an endpoint is disabled is not told when it is enabled again',
    file: 'src/accounts/webhooks/endpoints.ts',
    from: 'return (await records.transact([disable, entry], true)).done;',
    to: 'return (await records.transact([disable, entry])).done;',
  },
  // docs/webhooks.md: "The portal and `webhooks show` say how long it has been failing and what it last answered"; "nothing but failures
  // for five days | disables the endpoint"
  {
    breaks: 'an endpoint that took a message fails no longer, however shortly before it took another',
    file: 'src/events/outcomes.ts',
    from: 'AND (failing_since IS NOT NULL OR last_success_at IS NULL OR',
    to: 'AND (last_success_at IS NULL OR',
  },
  // docs/portal.md: "A session ends after twelve hours without use (which is noted once a minute), and after seven days at most."
  {
    breaks: 'a session that was not used for twelve hours is over, and a request does not wake it',
    file: 'src/identity/sign-in/session.ts',
    from: `      sql: 'UPDATE session SET last_used_at = $2 WHERE hash = $1 AND last_used_at < $3 AND last_used_at > $4 AND created_at > $5',
      args: [hash, now, now - TOUCH_MS, ...bounds],`,
    to: `      sql: 'UPDATE session SET last_used_at = $2 WHERE hash = $1 AND last_used_at < $3',
      args: [hash, now, now - TOUCH_MS],`,
  },
  // docs/adr/0043-another-channel.md: "A late receipt of an earlier channel ends the message if it says delivered, and is only noted if it
  // says undelivered, while a later channel waits for its own."
  {
    breaks:
      'a late report that the first channel did not reach sends nothing again while a later channel waits for its own',
    file: 'src/store/sqlite/messages/receipts.ts',
    from: `    WHERE verification_id = :id AND due_at = expires_at AND expires_at > :at AND NOT EXISTS (
      SELECT 1 FROM attempt
      WHERE verification_id = :id AND (fence, position) > (:fence, :position) AND channel IS NOT :channel
        AND outcome = 'accepted' AND receipt IS NULL)\`);`,
    to: `    WHERE verification_id = :id AND due_at = expires_at AND expires_at > :at\`);`,
  },
  // docs/routing.md: "Attempts, `delivery.*` and `verification.confirmed` name the channel that was used: the one that delivered or,
  // without a delivery, the last one that took the message and did not report it undelivered."
  {
    breaks:
      'a confirmation names the channel that delivered, though the same carrier took the message by a later one',
    file: 'src/store/shared/archive-page.ts',
    from: "(outcome = 'delivered' OR receipt IS NOT DISTINCT FROM 'delivered') DESC,\n    receipt",
    to: 'receipt',
  },
  // docs/routing.md: "`dailyCap` counts from midnight UTC, across all nodes and restarts."; "The service never sends more than the cap"
  {
    breaks: "a place that was left of yesterday's cap is not taken today",
    file: 'src/core/sending/daily-cap.ts',
    from: `  get isUsedUp(): boolean {
    this.#turnTo(dayOf(this.#clock.now()));
`,
    to: `  get isUsedUp(): boolean {
`,
  },
  // docs/api.md: "From `/verify`: if the request was written, its message is sent within the time of a lease (`delivery.lease`), and it
  // counts against all limits and the route's daily cap."
  {
    breaks:
      'a request of which nobody knows whether it was written keeps its place in the daily cap of its route',
    file: 'src/core/verification/write-within-cap.ts',
    from: `    if (!mayBeWritten || error instanceof StoreUnavailable) undo();
    else verdict?.written();
    throw error;`,
    to: `    if (place !== undefined) cap?.giveBack(place);
    if (!mayBeWritten || error instanceof StoreUnavailable) verdict?.notWritten();
    else verdict?.written();
    throw error;`,
  },
  // docs/keys.md: "**Limits of the account and of the service both apply**, so an account can be stricter but never looser."
  {
    breaks: "an account's own limits apply beside those of the service, and not in place of them",
    file: 'src/core/verification/account-limits.ts',
    from: 'return [...this.ceiling(accountId, kind).limits, ...(settings?.[kind] ?? [])];',
    to: 'return settings?.[kind] ?? [];',
  },
  // docs/api.md: "Each look counts against the limits of requests with the key."
  {
    breaks: 'a look for a verification that is not there counts against the limits of the key, too',
    file: 'src/core/verification/reading/inquiry.ts',
    from: `    const refusal = await store.takeRequest(keyId, now);
    if (refusal !== undefined) return { kind: 'limited', scope: 'key', ...refusal };
    const found = await store.findArchived({ accountId, test }, id, now);
    if (found === undefined) return { kind: 'unknown' };`,
    to: `    const found = await store.findArchived({ accountId, test }, id, now);
    if (found === undefined) return { kind: 'unknown' };
    const refusal = await store.takeRequest(keyId, now);
    if (refusal !== undefined) return { kind: 'limited', scope: 'key', ...refusal };`,
  },
  // docs/hooks.md: "For Clerk it is the same `svix-id` within 24 hours."
  {
    breaks: 'the same message of Clerk is sent once, also if it comes again after minutes',
    file: 'src/http/hooks/systems.ts',
    from: '? { repetition: id, repetitionMs: undefined }',
    to: '? { repetition: id, repetitionMs: RETRIED_WITHIN_MS }',
  },
  // docs/personal-data.md: "A message that waits for its carrier is not sent, at the latest when its lease is renewed (5 s)"
  {
    breaks:
      'what is erased, confirmed or canceled does not go on to the next carrier while the service stops',
    file: 'src/delivery/dispatcher.ts',
    from: `    this.#stopping = true;
    for (const timer of this.#looking.splice(0)) timer[Symbol.dispose]();
    const { clock } = this.#deps;`,
    to: `    this.#stopping = true;
    for (const timer of this.#looking.splice(0)) timer[Symbol.dispose]();
    this.#renewing?.[Symbol.dispose]();
    const { clock } = this.#deps;`,
  },
];
