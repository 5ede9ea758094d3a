/** Texts that clients spell out themselves. Only those that the operator has named are sent: free text would be phishing in our name. */
import { type MessageOptions, substitute } from './message.ts';

/** As the options of a request ask for it. */
export interface NamedText {
  readonly template: string;
  readonly locale: string;
}

const CODE = '{{code}}';

/** The named text for SMS that reads like this, with `{{code}}` for the code; runs of white space are one blank. */
export function findNamedText(
  options: MessageOptions,
  validForMs: number,
  text: string,
): NamedText | undefined {
  const wanted = withoutRuns(text);
  for (const [template, texts] of Object.entries(options.named ?? {})) {
    for (const [locale, { sms }] of Object.entries(texts)) {
      if (sms === undefined) continue;
      if (withoutRuns(substitute(sms, options, { validForMs }, CODE)) === wanted) return { template, locale };
    }
  }
  return undefined;
}

const withoutRuns = (text: string): string => text.replace(/\s+/gu, ' ').trim();
