/** What a refusal is in words. */
import type { Refused } from './ask.ts';
import type { Language } from './language.ts';

export type Step = 'number' | 'code';

/** The number itself is at fault; with every other code it cannot be sent to. See "Codes of invalid fields" in docs/api.md. */
const WRONG_NUMBER = [
  'not_e164',
  'invalid_number',
  'missing',
  'wrong_type',
  'wrong_format',
  'too_long',
  'too_short',
];

/** The page names a channel that the service, or its key, does not have. The person cannot help it. */
const WRONG_CHANNEL = ['not_allowed_value', 'channel_not_allowed'];

export function complaintOf(step: Step, refused: Refused, { words, tag }: Language): string {
  switch (refused.reason) {
    case 'invalid':
      if (WRONG_CHANNEL.includes(refused.code ?? '')) return words.failed;
      return step === 'code' ? words.noCode : wordsOfNumber(refused.code ?? 'missing', words);
    case 'limited':
      return words.limited;
    case 'mismatch': {
      const { attemptsRemaining: left } = refused;
      // Without a count it is not the last.
      if (left === undefined) return words.noCode;
      if (left <= 0) return words.exhausted;
      const text = words.mismatch[new Intl.PluralRules(tag).select(left)] ?? words.mismatch.other;
      return text.replace('{n}', new Intl.NumberFormat(tag).format(left));
    }
    case 'exhausted':
      return words.exhausted;
    case 'expired':
      return words.expired;
    case 'offline':
      return words.offline;
    case 'forbidden':
    case 'unavailable':
      return words.failed;
  }
}

function wordsOfNumber(code: string, words: Language['words']): string {
  if (code === 'landline') return words.landline;
  return WRONG_NUMBER.includes(code) ? words.wrongNumber : words.unreachable;
}
