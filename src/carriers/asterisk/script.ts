/** What a call says: the message's sentence, with the code one character at a time. */
import { DEFAULT_LOCALE } from '../../core/message/locales.ts';
import { splitAtCode } from '../../core/message/message.ts';
import type { Log, OutgoingMessage } from '../../core/sending/carrier.ts';
import type { SpokenStep } from './call.ts';
import { findRecording, type Prompts, type Recording } from './prompts.ts';
import type { Speech } from './speech.ts';

export interface ScriptSources {
  readonly prompts: Prompts;
  readonly speech: Pick<Speech, 'say' | 'spell'> | undefined;
  /** Seconds of silence between two characters. */
  readonly pause: number;
  /** Whether to speak English if nothing can speak the language of the message. */
  readonly englishFallback: boolean;
  readonly log: Log;
}

/** Gives time to raise the telephone to the ear. */
const OPENING = 'sound:silence/1';

/** The language in which nothing can say the code. */
export interface Speechless {
  readonly speechless: string;
}

/** The code in the message's language: recorded, or spoken by the speech command; otherwise the whole message in English. */
export async function writeScript(
  message: Pick<OutgoingMessage, 'code' | 'text' | 'locale' | 'english'>,
  sources: ScriptSources,
): Promise<readonly SpokenStep[] | Speechless> {
  const { code, text, locale, english = '' } = message;
  const own = await findVoice(code, locale, sources);
  if (own.voice !== undefined) return layOut({ code, text, locale }, own.voice, sources);
  if (!sources.englishFallback || locale === DEFAULT_LOCALE) return { speechless: locale };
  sources.log('warn', 'no recordings or speech for the language; a code is said in English', {
    locale,
    ...(own.reason !== undefined && { reason: own.reason }),
  });
  const { voice } = await findVoice(code, DEFAULT_LOCALE, sources);
  if (voice === undefined) return { speechless: DEFAULT_LOCALE };
  return layOut({ code, text: english, locale: DEFAULT_LOCALE }, voice, sources);
}

async function layOut(
  { code, text, locale }: Pick<OutgoingMessage, 'code' | 'text' | 'locale'>,
  voice: Recording,
  sources: ScriptSources,
): Promise<readonly SpokenStep[]> {
  const { language } = voice;
  const pause = sources.pause > 0 ? [`sound:silence/${sources.pause}`] : [];
  const steps: SpokenStep[] = [{ media: [OPENING], language, vital: false }];
  for (const [index, phrase] of splitAtCode(text, code, locale).entries()) {
    if (index > 0) {
      for (const symbol of code) {
        // Between two characters, and after words, so that the first character does not sound like one of them.
        const before = steps.length > 1 ? pause : [];
        steps.push({ media: [...before, voice.media(symbol)], language, vital: true });
      }
    }
    const media = await sayPhrase(phrase, locale, sources);
    if (media !== undefined) steps.push({ media: [media], language, vital: false });
  }
  return steps;
}

async function findVoice(
  code: string,
  locale: string,
  { prompts, speech }: ScriptSources,
): Promise<{ readonly voice?: Recording; readonly reason?: string }> {
  const recording = findRecording(prompts, locale, code);
  if (recording !== undefined) return { voice: recording };
  const spoken = await speech?.spell(locale, code);
  if (spoken === undefined) return {};
  if (!spoken.ok) return { reason: spoken.reason };
  return { voice: { language: locale, media: (symbol) => spoken.media.get(symbol) ?? '' } };
}

/** Undefined if the phrase holds no words or nothing can speak them. The code is what matters. */
async function sayPhrase(
  phrase: string,
  locale: string,
  { speech, log }: ScriptSources,
): Promise<string | undefined> {
  if (speech === undefined || !/[\p{L}\p{N}]/u.test(phrase)) return undefined;
  const spoken = await speech.say(locale, phrase.trim());
  if (spoken.ok) return spoken.media;
  log('warn', 'the words around a code are left out', { locale, reason: spoken.reason });
  return undefined;
}
