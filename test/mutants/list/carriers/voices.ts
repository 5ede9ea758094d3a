import type { Mutant } from '../../mutant.ts';

const VOICES = ['test/carriers/voices/voices.test.ts'];
const CHOSEN = ['test/carriers/voices/chosen.test.ts'];

/** What calls are spoken by. */
export const VOICES_OF_CARRIERS: readonly Mutant[] = [
  {
    breaks: 'without the fallback no English is spoken',
    file: 'src/carriers/gateway/voices/speech.ts',
    from: 'if (!englishFallback || english === undefined) {',
    to: 'if (english === undefined) {',
    tests: VOICES,
  },
  {
    breaks: 'a voice chosen for a language speaks it in all regions',
    file: 'src/carriers/gateway/voices/speech.ts',
    from: '!Object.keys(chosen).some(',
    to: '!Object.keys({}).some(',
    tests: CHOSEN,
  },
  {
    breaks: 'a chosen voice speaks the language that it is chosen for',
    file: 'src/carriers/gateway/voices/faults.ts',
    from: 'if (spoken === language) continue;',
    to: 'if (spoken !== undefined) continue;',
    tests: CHOSEN,
  },
  {
    breaks: 'an English voice speaks English words',
    file: 'src/carriers/gateway/voices/speech.ts',
    from: 'make({ ...message, text: english, locale: DEFAULT_LOCALE }, voices[DEFAULT_LOCALE])',
    to: 'make({ ...message, locale: DEFAULT_LOCALE }, voices[DEFAULT_LOCALE])',
    tests: VOICES,
  },
  {
    breaks: 'a language without a voice is reported as spoken in English only if it is',
    file: 'src/carriers/gateway/voices/speech.ts',
    from: "return englishFallback ? 'in-english' : 'not-at-all';",
    to: "return englishFallback === undefined ? 'not-at-all' : 'in-english';",
    tests: VOICES,
  },
];
