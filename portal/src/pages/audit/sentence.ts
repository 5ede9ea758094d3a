import { wordsOfAction } from '../../../../src/core/accounts/audit-action.ts';
import { countryName } from '../../format/country.ts';

/** Who is no person, at the beginning of a sentence. */
const ACTORS: Readonly<Record<string, string>> = {
  'command line': 'The command line',
  'the service': 'The service',
  somebody: 'Somebody',
  'a recipient': 'A recipient',
};

export interface Sentence {
  readonly who: string;
  /** What they did, up to what they did it to, and after it. */
  readonly before: string;
  readonly subject: string;
  readonly after: string;
  /** What the sentence leaves out. */
  readonly more: string;
}

/** What rules of the guard that are about a country are kept by. */
const COUNTRY = /^the country ([A-Z]{2})$/;

/** An entry of the log as a sentence. */
export function sentenceOf(entry: {
  readonly who: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
}): Sentence {
  const { action, detail } = entry;
  const [before = '', after] = wordsOfAction(action).split('{}');
  const subject = entry.subject.replace(COUNTRY, (_, code: string) => countryName(code));
  const more = after === undefined ? [subject, detail] : [detail];
  return {
    who: ACTORS[entry.who] ?? entry.who,
    before,
    subject: after === undefined ? '' : subject,
    after: after ?? '',
    more: more.filter((part) => part !== '').join(' · '),
  };
}
