/** Whether calls can be made in the languages that the configuration names. */

import type { Config } from '../config/table/schema.ts';
import type { Carrier } from '../core/sending/carrier.ts';
import { SYMBOLS } from '../core/verification/code.ts';

/** What is wrong with a carrier's voices, by language. */
export async function findVoiceFaults(
  { messages: { locale, locales = {} }, code }: Pick<Config, 'messages' | 'code'>,
  { checkVoice }: Pick<Carrier, 'checkVoice'>,
): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>();
  const named = [locale, ...Object.values(locales)].filter((each) => each !== undefined);
  for (const each of new Set(named)) {
    const fault = await checkVoice?.(each, SYMBOLS[code.alphabet]);
    if (fault !== undefined) faults.set(each, fault);
  }
  return faults;
}
