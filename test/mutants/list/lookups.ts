import type { Mutant } from '../mutant.ts';

const ASK = 'src/core/verification/ask-about-number.ts';
const ASKED = ['src/core/verification/ask-about-number.test.ts'];
const PROVIDER = 'src/lookups/asked-provider.ts';
const BOUNDS = ['test/lookups/bounds.test.ts'];
const CAMARA = ['test/lookups/camara.test.ts'];
const ADMIT = 'src/store/sqlite/verifications/admit.ts';

export const LOOKUPS: readonly Mutant[] = [
  {
    breaks: 'nobody is asked about a number that the store refuses',
    file: ASK,
    from: "if (admission.kind !== 'issued') {",
    to: "if (false && admission.kind !== 'issued') {",
    tests: ASKED,
  },
  {
    breaks: 'nobody is asked where messages do not leave the machine',
    file: ASK,
    from: "destination.kind === 'sip' || !leaves(route)",
    to: "destination.kind === 'sip'",
    tests: ASKED,
  },
  {
    breaks: 'nobody is asked twice about one number at once',
    file: ASK,
    from: 'return await lookups.inTurn(verification.destinationHash, async () => {',
    to: 'return await lookups.inTurn(verification.id, async () => {',
    tests: ASKED,
  },
  {
    breaks: 'what was paid for and refused counts for its key',
    file: ASK,
    from: 'if (isPaid && keyId !== NO_KEY) await records.takeRequest(keyId, clock.now());',
    to: '',
    tests: ASKED,
  },
  {
    breaks: 'what was paid for counts for its key though the next look-up is not admitted',
    file: ASK,
    from: 'await countPaid();\n          return admission;',
    to: 'return admission;',
    tests: ASKED,
  },
  {
    breaks: 'a repetition is answered as the first was, whatever is known of its number now',
    file: ASK,
    from: 'if (first !== undefined) return first;',
    to: '',
    tests: ASKED,
  },
  {
    breaks: 'a look-up that has to answer refuses when it does not',
    file: ASK,
    from: 'if (unanswered.size === 0) return undefined;',
    to: 'return undefined;',
    tests: ASKED,
  },
  {
    breaks: 'nobody who does not know answers for a look-up that has to',
    file: ASK,
    from: 'if (known[fact] !== undefined) unanswered.delete(fact)',
    to: 'unanswered.delete(fact)',
    tests: ASKED,
  },
  {
    breaks: 'a question has room in the budgets beside its message',
    file: ASK,
    from: '{ ...reservation.prices, [PRICE_NAME]: price }',
    to: 'reservation.prices',
    tests: ASKED,
  },
  {
    breaks: 'the lease of a code that was looked up begins when it is written',
    file: 'src/core/verification/write-within-cap.ts',
    from: 'leaseUntil: clock.now() + lease',
    to: 'leaseUntil: verification.leaseUntil',
    tests: ASKED,
  },
  {
    breaks: 'what a look-up refused was not sent',
    file: 'src/core/verification/write-within-cap.ts',
    from: 'if (refusal !== undefined) {\n        undo();',
    to: 'if (refusal !== undefined) {',
    tests: ASKED,
  },
  {
    breaks: 'what is admitted is not written',
    file: ADMIT,
    from: "if (outcome.kind === 'issued') db.exec('ROLLBACK TO admission');",
    to: '',
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    breaks: 'a question is paid from the budgets',
    file: ADMIT,
    from: 'if (v.reservation !== undefined) spend(v.reservation.charges, price);',
    to: '',
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    breaks: 'what is admitted counts as no request',
    file: ADMIT,
    from: "if (!v.brought) book.count(v, '', 'requested', -1);",
    to: '',
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    breaks: 'nodes of a database pay for no more questions than there is room for',
    file: 'src/store/postgres/schema/functions/admit.sql',
    from: 'IF take_from_budgets(charges, worst, 1) THEN\n        PERFORM take_from_budgets(charges, price - worst, -1);',
    to: 'IF take_from_budgets(charges, price, 0) THEN',
    tests: ['test/store/postgres/contract.test.ts'],
  },
  {
    breaks: 'an admission that finds no room holds no budget while it asks again',
    file: 'src/store/postgres/schema/functions/admit.sql',
    from: "      RAISE EXCEPTION USING ERRCODE = 'CSADM';\n    EXCEPTION WHEN SQLSTATE 'CSADM' THEN\n      NULL;\n    END;\n  END LOOP;",
    to: "    EXCEPTION WHEN SQLSTATE 'CSADM' THEN\n      NULL;\n    END;\n  END LOOP;",
    tests: ['test/store/postgres/contract.test.ts'],
  },
  {
    breaks: 'an answer is remembered',
    file: PROVIDER,
    from: 'this.#recent.keep(this.#keyOf(of, question), facts, this.#bounds.remember);',
    to: '',
    tests: BOUNDS,
  },
  {
    breaks: 'a remembered answer ends',
    file: 'src/lookups/recent-answers.ts',
    from: 'if (this.#clock.steady() < kept.until) return kept.answer;',
    to: 'if (kept.until > 0) return kept.answer;',
    tests: BOUNDS,
  },
  {
    breaks: 'a provider that is away is not asked again and again',
    file: PROVIDER,
    from: 'const permit = this.#breaker.permit();\n    if (permit === undefined)',
    to: "const permit = this.#breaker.permit() ?? 'regular';\n    if (permit === undefined)",
    tests: BOUNDS,
  },
  {
    breaks: 'an answer about other hours is another one',
    file: PROVIDER,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    from: 'return `${of} ${this.#provider.scopeOf(question)}`;',
    to: 'return question === undefined ? "" : of;',
    tests: BOUNDS,
  },
  {
    breaks: 'a network is asked for no more hours than it may say',
    file: 'src/lookups/camara.ts',
    from: 'Math.min(swappedWithinHours, options.maxAge)',
    to: 'swappedWithinHours',
    tests: CAMARA,
  },
  {
    breaks: 'an access token is not used to its end',
    file: 'src/lookups/access-token.ts',
    from: 'seconds * SECOND_MS - EARLY_MS',
    to: 'seconds * SECOND_MS',
    tests: CAMARA,
  },
  {
    breaks: 'a token that was taken back is replaced',
    file: PROVIDER,
    from: 'this.#token?.refuse(given.token);',
    to: '',
    tests: CAMARA,
  },
  {
    breaks: 'a period of Twilio’s that is shorter than what was asked about says nothing by its no',
    file: 'src/lookups/twilio.ts',
    from: 'return period >= swappedWithinHours ? false : undefined;',
    to: 'return false;',
    tests: ['test/lookups/twilio.test.ts'],
  },
  {
    breaks: 'an account sets only what a look-up can tell',
    file: 'src/portal/settings/number-rule.ts',
    from: '!kept.includes(fact) && !lookups.some(({ tells }) => tells.has(fact))',
    to: '!kept.includes(fact) && lookups === undefined',
    tests: ['src/portal/settings/number-rule.test.ts'],
  },
];
