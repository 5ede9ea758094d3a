/**
 * A fifth list, of faults in what the world says that it plays, by somebody who knew neither the model nor what histories are drawn. None
 * is dropped because it is not found. Above each stands the sentence of the documents that it violates.
 */
import type { Edit } from './invented.ts';

export const INVENTED_FIFTH: readonly Edit[] = [
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
  // docs/guard.md: "A repetition under an `Idempotency-Key` is answered without the guard, and does not count."
  {
    breaks:
      'a repetition under an Idempotency-Key gets its first answer also where the guard would refuse it by now',
    file: 'src/core/verification/verifier.ts',
    from: `      const first = await findFirst(this.#deps, { accountId, test, createdAt, idempotency });
      if (first !== undefined) return answerAsFirst(this.#deps, first);
      verdict.refused();`,
    to: `      verdict.refused();`,
  },
  // docs/budgets.md: "a node dies while it sends | everything that it may have sent; another node reserves again before it asks a
  // carrier"
  {
    breaks: 'what a process may have sent when it died counts as paid in the budgets',
    file: 'src/store/sqlite/budgets/reservations.ts',
    from: 'const spent = kept.underWay ? (kept.spent ?? 0) + worst : kept.spent;',
    to: 'const spent = kept.spent;',
  },
  // docs/routing.md: "Attempts, `delivery.*` and `verification.confirmed` name the channel that was used: the one that delivered or,
  // without a delivery, the last one that took the message and did not report it undelivered."
  {
    breaks:
      'a verification is of the carrier that reported its message delivered, also if another took it later',
    file: 'src/store/shared/archive-page.ts',
    from: "(outcome = 'delivered' OR receipt IS NOT DISTINCT FROM 'delivered') DESC,\n    receipt",
    to: 'receipt',
  },
  // docs/routing.md: "The message goes on to the next channel when all carriers of the channel have refused it [...] A carrier that
  // cannot send now counts as refusing: it refuses your account, your settings or the country, its breaker is open, or its daily cap is
  // used up."
  {
    breaks:
      'a code goes on by another channel when some carriers refused its message and the others are of no use',
    file: 'src/delivery/round.ts',
    from: `const isRefused = this.#choices.every(
      (choice) => this.#isSpent(choice) || this.#outOfUse.includes(choice.gate),
    );`,
    to: 'const isRefused = isOver || this.#outOfUse.length === this.#choices.length;',
  },
  // docs/twilio.md: "`to` is masked for a key that neither asked for the verification nor gave the number nor the right code"
  {
    breaks: 'a wrong code that is checked by the SID of another key’s verification shows the number masked',
    file: 'src/core/verification/by-number/by-number.ts',
    from: "return { kind: 'found', address, shown: shown.destination } as const;",
    to: "return { kind: 'found', address, shown: address } as const;",
  },
  // docs/twilio.md: "A wrong code uses up a guess of the newest code; when that has none left, of the one before."
  {
    breaks: 'wrong codes that are checked by number use up the guesses of the newest code first',
    file: 'src/store/sqlite/verifications/by-number.ts',
    from: 'candidate.value ->> 1) DESC, verification.id DESC LIMIT 1',
    to: 'candidate.value ->> 1) DESC, guesses_left DESC LIMIT 1',
  },
  // docs/do-not-send.md: "It is looked for in the attempts, so as far back as `retention.verifications`"
  {
    breaks:
      'STOP from somebody who was written to days ago is obeyed, however many others were written to since',
    file: 'src/store/sqlite/messages/senders.ts',
    from: 'const first = Math.floor(Number(oldest) / DAY_MS) - 1;',
    to: 'const first = Math.floor(Number(newest) / DAY_MS) - 1;',
  },
  // docs/webhooks.md: "Events that happen while an endpoint is disabled are not kept for it."
  {
    breaks:
      'what happens after an endpoint was disabled is not kept for it, and not sent to it once it is enabled',
    file: 'src/accounts/webhooks/endpoints.ts',
    from: 'return (await records.transact([disable, entry], true)).done;',
    to: 'return (await records.transact([disable, entry])).done;',
  },
  // docs/webhooks.md: "A second rotation on the same day ends the older of the two. So if a secret leaked, rotate twice to end it at
  // once."
  {
    breaks:
      'a second rotation of a webhook’s secret on one day ends the oldest secret, and the one in between still signs',
    file: 'src/accounts/webhooks/secrets.ts',
    from: 'sql: `UPDATE webhook SET previous_secret_sealed = secret_sealed, previous_until = CAST($4 AS BIGINT), secret_sealed = $5',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    to: 'sql: `UPDATE webhook SET previous_secret_sealed = CASE WHEN previous_until > CAST($4 AS BIGINT) - ${OVERLAP_MS}\n        THEN previous_secret_sealed ELSE secret_sealed END, previous_until = CAST($4 AS BIGINT), secret_sealed = $5',
  },
  // docs/keys.md: "If the key has an expiry, the new key gets a lifetime of the same length."
  {
    breaks: 'the successor of a key gets the lifetime of the key before, or none if that had none',
    file: 'src/accounts/account-keys.ts',
    from: `      const steps = [...makeRoom(accountId, now), replace, copy, end, entry];
      const answer = await records.transact(steps, true);
      if (!answer.done && answer.refusedBy === NO_ROOM) return { kind: 'too-many' };
      return outcomeOf(answer, 3, accountId, id, now);`,
    to: `      const steps = [...makeRoom(accountId, now), replace, end, copy, entry];
      const answer = await records.transact(steps, true);
      if (!answer.done && answer.refusedBy === NO_ROOM) return { kind: 'too-many' };
      return outcomeOf(answer, 4, accountId, id, now);`,
  },
  // docs/portal.md: "A session ends after twelve hours without use (which is noted once a minute), and after seven days at most."
  {
    breaks: 'a session that nobody used for twelve hours has ended',
    file: 'src/identity/sign-in/session.ts',
    from: 'AND last_used_at < $3 AND last_used_at > $4 AND created_at > $5',
    to: 'AND last_used_at < $3 AND (last_used_at > $4 OR created_at > $5)',
  },
  // docs/portal.md: "An account always keeps an owner: the last one can be neither removed nor demoted."
  {
    breaks: 'the last owner of an account stays its owner, also where other accounts have owners',
    file: 'src/accounts/members.ts',
    from: "WHERE other.account_id = $1 AND other.role = 'owner' AND other.person_id <> $2",
    to: "WHERE other.role = 'owner' AND other.person_id <> $2",
  },
  // docs/guard.md: "The most specific rule decides: one about the number, then about the longest range, the country, the address, the
  // key, the account."
  {
    breaks: 'of two rules of the guard about ranges that hold a number the one of the longer range decides',
    file: 'src/guard/rules.ts',
    from: 'lengths.sort((a, b) => b - a);',
    to: 'lengths.sort((a, b) => a - b);',
  },
  // docs/hooks.md: "The same code later is a person who asks again, because nothing arrived: it is sent again, and counts like any
  // other request."
  {
    breaks: 'the same code that comes through a hook again more than half a minute later is sent again',
    file: 'src/store/sqlite/verifications/idempotency.ts',
    from: 'forgetOld.run(v.accountId, keyHash, repeatsSince(v.createdAt, idempotency));',
    to: 'forgetOld.run(v.accountId, keyHash, v.createdAt - 86_400_000);',
  },
  // docs/personal-data.md: "A message that waits for its carrier is not sent, at the latest when its lease is renewed (5 s)"
  {
    breaks:
      'a message whose code was erased or confirmed while it waits for a carrier is not sent once its lease was not renewed',
    file: 'src/delivery/dispatcher.ts',
    from: '      if (renewed.has(one.id)) one.prolong(fence, since, this.#options.lease);\n      else one.lose();',
    to: '      if (renewed.has(one.id)) one.prolong(fence, since, this.#options.lease);',
  },
  // docs/routing.md: "The service never sends more than the cap"; docs/operations.md: "Options that configuration.md marks *live* take
  // effect without a restart"
  {
    breaks: 'a daily cap that a reload of the configuration changed holds from then on',
    file: 'src/core/sending/daily-cap.ts',
    from: `  isSame({ name, max }: { readonly name: string; readonly max: number }): boolean {
    return name === this.#name && max === this.#max;`,
    to: `  isSame({ name }: { readonly name: string; readonly max: number }): boolean {
    return name === this.#name;`,
  },
  // docs/personal-data.md: "each one transaction with its entry in the audit log (`number.erased`, `number.exported`)"
  {
    breaks: 'a copy of a number that only the do-not-send list has is in the audit log',
    file: 'src/accounts/numbers.ts',
    from: 'const held = [...found, ...listings];',
    to: 'const held = found;',
  },
  // docs/portal.md: "A test that is refused for a limit, a budget or the list below takes its place too"
  {
    breaks:
      'a test of a carrier that is refused after it was admitted takes one of the five places of an hour',
    file: 'src/accounts/carrier-tests.ts',
    from: "sql: 'UPDATE carrier_test SET key_hash = id WHERE id = $1'",
    to: "sql: 'DELETE FROM carrier_test WHERE id = $1'",
  },
  // docs/keys.md: "Test keys are exempt from the limits per destination and from the countries of the account. The restrictions of the
  // key itself still apply."
  {
    breaks: 'a test key that is restricted to countries asks for no code to another country',
    file: 'src/core/verification/resolve.ts',
    from: 'if (restrictions !== undefined && !allows(restrictions.countries, destination.country)) {',
    to: 'if (restrictions !== undefined && !test && !allows(restrictions.countries, destination.country)) {',
  },
];
