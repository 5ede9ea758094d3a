/** What an `http` look-up reads, but does not ask for: its provider is not told what the answer is to be about. */
import type { Config } from '../config/table/schema.ts';
import type { Warning } from '../config/warnings.ts';

const ASKED = [
  ['swapped', 'hours', 'a SIM that was swapped longer ago than an account refuses'],
  ['ported', 'portedHours', 'a number that was moved longer ago than an account refuses'],
  ['recycled', 'since', 'a number that went to somebody else before the account confirmed it'],
] as const;

export function* warnOfLookups({ lookups }: Pick<Config, 'lookups'>): Generator<Warning> {
  for (const [name, options] of Object.entries(lookups)) {
    if (options.type !== 'http') continue;
    const { url, headers, json } = options;
    const request = JSON.stringify([url, headers, json]);
    for (const [fact, placeholder, wrongly] of ASKED) {
      if (options[fact] === undefined || new RegExp(`\\{\\{\\s*${placeholder}\\s*\\}\\}`).test(request))
        continue;
      const instead = fact === 'recycled' ? '' : `, or read when it was with ${fact}At`;
      const detail = `nothing holds {{${placeholder}}}, so the provider does not know since when it is asked: ${wrongly} is refused too, if it says yes; add {{${placeholder}}} to url, headers or json${instead}`;
      yield { key: `lookups.${name}.${fact}`, detail };
    }
  }
}
