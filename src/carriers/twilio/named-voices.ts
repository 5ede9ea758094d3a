/**
 * The voices that Twilio names, by the language that each speaks: those of the type `SayVoice` of twilio 6.2.0 (npm),
 * `lib/twiml/VoiceResponse.d.ts`, without `man`, `woman` and `alice`. Google's names say their language; of Polly's, AWS's list of
 * voices says it (Amazon Polly Developer Guide, "Available voices", read on 2026-11-23). A voice of two languages is
 * listed under the one that it speaks unless told.
 *
 * Of Polly's, each name has its kinds (standard, neural, generative). Of Google's, each kind has the letters of its voices; those of Chirp
 * have names, which are the same everywhere.
 */
import GOOGLE from './google-voices.json' with { type: 'json' };
import POLLY from './polly-voices.json' with { type: 'json' };

const KINDS: Readonly<Record<string, string>> = { S: '', N: '-Neural', G: '-Generative' };
const GOOGLE_KINDS: Readonly<Record<string, string>> = { N: 'Neural2', S: 'Standard', W: 'Wavenet' };
const CHIRP = ['Aoede', 'Charon', 'Fenrir', 'Kore', 'Leda', 'Orus', 'Puck', 'Zephyr'];
/** Tags that Google writes differently. */
const PRIMARY: Readonly<Record<string, string>> = { cmn: 'zh' };

/** From each name to the primary subtag of its language. */
export function listVoices(): ReadonlyMap<string, string> {
  const voices = new Map<string, string>();
  for (const [language, list] of Object.entries(POLLY)) {
    for (const [name = '', kinds = ''] of list.split(' ').map((entry) => entry.split(':'))) {
      for (const kind of kinds) voices.set(`Polly.${name}${KINDS[kind]}`, language);
    }
  }
  for (const [tag, kinds] of Object.entries(GOOGLE)) {
    const [subtag = ''] = tag.split('-', 1);
    const language = PRIMARY[subtag] ?? subtag;
    for (const [kind = '', ...letters] of kinds.split(' ')) {
      const own = kind === 'C' ? CHIRP : letters;
      const family = kind === 'C' ? 'Chirp3-HD' : GOOGLE_KINDS[kind];
      for (const letter of own) voices.set(`Google.${tag}-${family}-${letter}`, language);
    }
  }
  return voices;
}
