/**
 * The voices of Azure that Telnyx takes as `Azure.VoiceId`, by the locale that each speaks: Microsoft's table of text-to-speech voices
 * (Azure AI Speech, language support, dated 2025-10-21), without previews and without voices that find out the language
 * for themselves.
 */
import AZURE from './azure-voices.json' with { type: 'json' };

/** Cantonese, which Azure writes as the Chinese of Hong Kong. */
const CANTONESE = 'zh-HK';

/** From each name to the primary subtag of its language. */
export function listVoices(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(AZURE).flatMap(([locale, names]) => {
      const [language = ''] = locale === CANTONESE ? ['yue'] : locale.split('-', 1);
      return names.split(' ').map((name): [string, string] => [`Azure.${locale}-${name}Neural`, language]);
    }),
  );
}
