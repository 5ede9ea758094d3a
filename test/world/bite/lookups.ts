/** What keeps look-ups: guards of the list of mutants, and faults that were written with the door, before it was played without them. */
import type { Edit } from './invented.ts';

export const LOOKED_UP: readonly string[] = [
  'nobody is asked about a number that the store refuses',
  'nobody is asked twice about one number at once',
  'what was paid for and refused counts for its key',
  'a repetition is answered as the first was, whatever is known of its number now',
  'a look-up that has to answer refuses when it does not',
  'nobody who does not know answers for a look-up that has to',
  'a question has room in the budgets beside its message',
  'what a look-up refused was not sent',
  'what is admitted is not written',
  'a question is paid from the budgets',
  'what is admitted counts as no request',
  'who confirmed a number last is asked of one account',
  'who confirmed a number last is asked of keys of one kind',
  'an answer is remembered',
  'a remembered answer ends',
  'a provider that is away is not asked again and again',
  'an answer about other hours is another one',
  'an account sets only what a look-up can tell',
];

const ASK = 'src/core/verification/ask-about-number.ts';

export const LOOKUP_FAULTS: readonly Edit[] = [
  {
    breaks: 'a repetition asks nobody',
    file: 'src/store/sqlite/verifications/admit.ts',
    from: 'const outcome = issue(v);',
    to: 'const outcome = issue({ ...v, idempotency: null });',
  },
  {
    breaks: 'a number that was never confirmed is not asked about',
    file: 'src/core/verification/number-question.ts',
    from: "wanted.filter((fact) => fact !== 'recycled' || confirmedAt !== null)",
    to: 'wanted',
  },
  {
    breaks: 'the first answer that refuses ends it',
    file: ASK,
    from: 'if (refusal !== undefined) {\n        const guarded',
    to: 'if (refusal !== undefined && lookup === able.at(-1)) {\n        const guarded',
  },
  {
    breaks: 'of several that know the first is believed',
    file: 'src/core/verification/number-question.ts',
    from: '{ ...answer, ...Object.fromEntries(before) }',
    to: '{ ...Object.fromEntries(before), ...answer }',
  },
  {
    breaks: 'numbers of other countries are not asked about',
    file: 'src/lookups/index.ts',
    from: '(countries === undefined || countries.includes(country)) &&',
    to: '',
  },
  {
    breaks: 'what is remembered is that of one account',
    file: 'src/lookups/asked-provider.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    from: 'return `${of} ${this.#provider.scopeOf(question)}`;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    to: 'return `${question.number} ${of.slice(0, 0)}${this.#provider.scopeOf(question)}`;',
  },
  {
    breaks: 'who did not answer is not asked again at once',
    file: 'src/lookups/asked-provider.ts',
    from: "this.#recent.keep(this.#keyOf(of, question), 'failed', FAILED_FOR_MS);",
    to: '',
  },
  {
    breaks: 'nobody pays for a question to who is away',
    file: 'src/lookups/asked-provider.ts',
    from: 'const permit = this.#unused ?? this.#breaker.permit();',
    to: "const permit = this.#unused ?? this.#breaker.permit() ?? 'regular';",
  },
  {
    breaks: 'what is asked about is in no log',
    file: 'src/lookups/asked-provider.ts',
    from: '`a look-up gave no answer: ',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    to: '`a look-up gave no answer about ${question.number}: ',
  },
  {
    breaks: 'a test of a carrier asks as every request does',
    file: 'src/core/verification/verifier.ts',
    from: 'const about = lookups && guarded && findAsked(lookups, guarded);',
    to: 'const about = lookups && guarded && !carrierTest ? findAsked(lookups, guarded) : undefined;',
  },
];
