/**
 * A second list of faults that somebody invented who knew neither the model nor what histories are drawn. None is dropped because it is
 * not found. Above each stands the sentence of the documents that it violates.
 */
import type { Edit } from './invented.ts';

export const INVENTED_AGAIN: readonly Edit[] = [
  // docs/budgets.md: "a carrier took the message, and no other will be asked | what that carrier charges" and "The difference is given
  // back to the period that it was taken from, in the transaction that settles the message"
  {
    breaks:
      'a receipt that says delivered gives back to budgets what was reserved at the carriers that are not asked any more',
    file: 'src/store/sqlite/messages/receipts.ts',
    from: '      reservations.end(id);\n    }\n',
    to: "    }\n    if (status === 'undelivered' && !requeued) reservations.end(id);\n",
  },
  // docs/api.md: "A guess that was judged gets the same answer for 24 hours: the `200` with the same body, or the `403` with the same
  // `attempts_remaining`." (and "0 after the last")
  {
    breaks:
      'the last wrong guess, repeated under its Idempotency-Key, is answered again with 403 and 0 attempts',
    file: 'src/store/sqlite/verifications/idempotency.ts',
    from: 'if (holder.attempts_remaining !== null) {',
    to: 'if (holder.attempts_remaining) {',
  },
  // docs/hooks.md: "The same code later is a person who asks again, because nothing arrived: it is sent again, and counts like any
  // other request."
  {
    breaks: 'a hook sends the same code to the same number again when it comes more than 30 seconds later',
    file: 'src/http/hooks/index.ts',
    from: '.finally(() => underWay.delete(place));',
    to: '.finally(() => underWay.delete(idempotencyKey));',
  },
  // docs/portal.md: "It reads like any message of the account, but its code confirms nothing." docs/twilio.md: "no live code for the
  // number ... | 404 | 20404"
  {
    breaks: 'a number that only a test of a carrier went to has no live code for the Twilio façade',
    file: 'src/core/verification/verifier.ts',
    from: 'findsByNumber(settings) && carrierTest === undefined && !isCall',
    to: 'findsByNumber(settings) && !isCall',
  },
  // docs/api.md: "wrong codes for a destination, across all its verifications; cleared by a success"
  {
    breaks: 'a right code also clears the wrong ones that were typed before midnight (UTC)',
    file: 'src/store/sqlite/verifications/confirm.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    from: 'DELETE FROM failed_guess WHERE day IN (${daysOf(longestWindow)}) AND',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    to: 'DELETE FROM failed_guess WHERE day IN (${daysOf(0)}) AND',
  },
  // docs/keys.md: "Test keys are exempt from the limits per destination and from the countries of the account." docs/api.md: "the
  // limits of destinations do not apply to it"
  {
    breaks:
      'with a test key, only the guesses of the verification itself count down, not those of its destination',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: 'if (row.test === 1) return mismatch(guessesLeft);',
    to: 'if (row.test === 1 && budgetLeft.length === 0) return mismatch(guessesLeft);',
  },
  // docs/routing.md: "It never goes on once it was reported delivered or its code was confirmed or has expired."
  {
    breaks:
      'a message that a carrier has taken goes on by no other channel or carrier once its code was confirmed',
    file: 'src/store/sqlite/verifications/confirm.ts',
    from: '    endDelivery.run(id);',
    to: '    if (carrier === null) endDelivery.run(id);',
  },
  // docs/do-not-send.md: "Such a request counts against no limit, for no key and in no figure."
  {
    breaks: 'a request for a number on the do-not-send list takes no place in the limits of its key',
    file: 'src/store/sqlite/verifications/issue.ts',
    from: `    if (isBlocked(v)) {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      return { kind: 'blocked' };
    }
    // What no key asked for has bounds of its own. In one ring accounts would take places from one another.
    const exceeded = v.keyId === NO_KEY ? undefined : rings.take(v.keyId, v.createdAt);
    if (exceeded !== undefined) {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      book.count(v, '', 'limitedByKey');
      return { kind: 'limited', scope: 'key', ...exceeded };
    }
`,
    to: `    // What no key asked for has bounds of its own. In one ring accounts would take places from one another.
    const exceeded = v.keyId === NO_KEY ? undefined : rings.take(v.keyId, v.createdAt);
    if (exceeded !== undefined) {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      book.count(v, '', 'limitedByKey');
      return { kind: 'limited', scope: 'key', ...exceeded };
    }
    if (isBlocked(v)) {
      if (v.idempotency !== null) idempotency.release(v.accountId, v.idempotency.keyHash);
      return { kind: 'blocked' };
    }
`,
  },
  // docs/do-not-send.md: "the audit log gets one entry an hour for each keyword and carrier, with a count"
  {
    breaks:
      'a START within the hour after a STOP over the same carrier has an entry of its own in the audit log, and the reverse',
    file: 'src/accounts/blocking/opt-outs.ts',
    from: 'const same = `account_id = $1 AND action = $6 AND subject = $7 AND id >= $9`;',
    to: 'const same = `account_id = $1 AND subject = $7 AND id >= $9`;',
  },
  // docs/routing.md: "With `after` the message also goes on if it was not reported delivered that long after a carrier accepted it"
  {
    breaks:
      'the time that a channel has to deliver begins when a carrier took the message, not when it was asked for',
    file: 'src/delivery/round.ts',
    from: 'const fallbackAt = timeOf(leg, this.#message, this.#ports.clock.now());',
    to: 'const fallbackAt = timeOf(leg, this.#message, this.#createdAt);',
  },
  // docs/routing.md: "A carrier that missed its deadline counts as having taken the message."
  {
    breaks: 'a message whose carrier missed its deadline keeps its place in the daily cap of the carrier',
    file: 'src/delivery/gate/carrier-caller.ts',
    from: 'if (isNotTaken(result)) cap.giveBack(place);',
    to: "if (isNotTaken(result) || result.kind === 'temporary') cap.giveBack(place);",
  },
  // docs/webhooks.md: "nothing but failures for five days | disables the endpoint" and "Enable it when your server is back"
  {
    breaks:
      'an endpoint that is enabled again has five days anew before failures disable it, and is not shown as failing',
    file: 'src/accounts/webhooks/endpoints.ts',
    from: 'SET disabled_at = NULL, disabled_why = NULL, failing_since = NULL',
    to: 'SET disabled_at = NULL, disabled_why = NULL',
  },
  // docs/webhooks.md: "`verification.expired` | the code expired or was ended early (`at` says when), was not confirmed, and had guesses
  // left."
  {
    breaks: 'a code whose guesses are used up is told as exhausted only, and not as expired, too',
    file: 'src/store/sqlite/events/due.ts',
    from: 'WHERE id = ? AND confirmed_at IS NULL AND guesses_left > 0',
    to: 'WHERE id = ? AND confirmed_at IS NULL',
  },
  // docs/keys.md: "The key itself stays listed, so that you see the name of the key that did something, for as long as any of that is
  // kept: `retention.statistics` or `retention.verifications`, whichever is longer."
  {
    breaks:
      'a key that has ended stays listed as long as the longer of its verifications and figures are kept',
    file: 'src/accounts/sweep.ts',
    from: 'const keysOver = now - Math.max(verifications, statistics) - WHOLE_DAYS_MS;',
    to: 'const keysOver = now - Math.min(verifications, statistics) - WHOLE_DAYS_MS;',
  },
  // docs/guard.md: "A rule of one account (`--in-account`, or made by its people) cannot undo a refusal that holds for all accounts."
  {
    breaks: 'a pause that holds for all accounts is not undone by a rule of one account that allows',
    file: 'src/guard/rules.ts',
    from: "if (general !== undefined && general.action !== 'allow') return general;",
    to: "if (general !== undefined && general.action === 'deny') return general;",
  },
  // docs/api.md, of codes that clients bring: "What it costs and attempts that failed count at once."
  {
    breaks: 'what the message of a brought code, or of a test of a carrier, costs is in the figures',
    file: 'src/store/sqlite/messages/settle.ts',
    from: `    if (cost > 0) book.count(cohort, carrier, 'cost', cost);
    if (cohort.brought) return;
`,
    to: `    if (cohort.brought) return;
    if (cost > 0) book.count(cohort, carrier, 'cost', cost);
`,
  },
  // docs/portal.md: "A session ends after twelve hours without use (which is noted once a minute), and after seven days at most."
  {
    breaks: 'a session ends seven days after its sign-in, however often its person proved who they are',
    file: 'src/identity/sign-in/session.ts',
    from: 'UPDATE session SET hash = $2, proven_at = $3, last_used_at = $3 WHERE id = $1 RETURNING id',
    to: 'UPDATE session SET hash = $2, created_at = $3, proven_at = $3, last_used_at = $3 WHERE id = $1 RETURNING id',
  },
  // docs/portal.md: "A proof is needed for ... adding and lifting a rule of the guard"
  {
    breaks: 'lifting a rule of the guard needs a fresh proof of identity',
    file: 'src/portal/routes.ts',
    from: "as('owner', 'proven'), 'liftGuardRule'",
    to: "as('owner'), 'liftGuardRule'",
  },
  // docs/personal-data.md: "An erasure deletes verifications with their attempts, messages and idempotency keys. ... a request repeated
  // under its `Idempotency-Key` is a new one." docs/budgets.md: "For an erased message it goes back once no round of it is under way"
  {
    breaks:
      'erasing what no carrier was asked for yet frees its Idempotency-Key and what it holds of budgets',
    file: 'src/store/sqlite/verifications/erase.ts',
    from: '      for (const each of belongings) each.run(id);\n',
    to: '      if (belongings.map((each) => each.run(id).changes)[1] === 0) continue;\n',
  },
];
