/**
 * The styles of Vonage's `talk` action: each language with its highest one, counted from 0. From the table in "Text to Speech" as
 * Vonage published it last in its repository nexmo-developer (commit 85f5f4e); its site has the same table, with more in it. A voice is
 * written as language and style: `de-DE/3`.
 */
const HIGHEST_STYLES =
  'ar:7 bn-IN:1 ca-ES:1 cmn-CN:5 cmn-TW:3 cs-CZ:2 cy-GB:0 da-DK:5 de-DE:6 el-GR:2 en-AU:5 en-GB-WLS:0 ' +
  'en-GB:7 en-IN:5 en-US:11 en-ZA:0 es-ES:4 es-MX:0 es-US:2 eu-ES:0 fi-FI:1 fil-PH:3 fr-CA:4 fr-FR:7 ' +
  'he-IL:0 hi-IN:3 hu-HU:1 id-ID:4 is-IS:1 it-IT:6 ja-JP:5 ko-KR:5 ml-IN:1 nb-NO:5 nl-NL:6 pl-PL:8 ' +
  'pt-BR:5 pt-PT:7 ro-RO:1 ru-RU:6 sk-SK:1 sv-SE:3 ta-IN:1 te-IN:1 th-TH:1 tr-TR:7 uk-UA:0 vi-VN:3 ' +
  'yue-CN:0';

/** Languages that Vonage writes differently. */
const PRIMARY: Readonly<Record<string, string>> = { cmn: 'zh' };

/** From each voice to the primary subtag of its language. */
export function listVoices(): ReadonlyMap<string, string> {
  const voices = new Map<string, string>();
  for (const [tag = '', highest] of HIGHEST_STYLES.split(' ').map((entry) => entry.split(':'))) {
    const [subtag = ''] = tag.split('-', 1);
    for (let style = 0; style <= Number(highest); style += 1) {
      voices.set(`${tag}/${style}`, PRIMARY[subtag] ?? subtag);
    }
  }
  return voices;
}

/** A voice as `talk` takes it: a language alone has no style. */
export function readVoice(voice: string): { readonly language: string; readonly style?: number } {
  const [language = '', style] = voice.split('/');
  return { language, ...(style !== undefined && { style: Number(style) }) };
}
