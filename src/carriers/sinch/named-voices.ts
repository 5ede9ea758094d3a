/**
 * The voices of Sinch's text-to-speech callouts, by the language that each speaks: those of the type `TtsVoice` of @sinch/voice 1.4.0
 * (npm), `models/v1/enums.d.ts`, as names, as locales and as locales with a gender. The type has each name after its locale. A
 * voice of two languages is listed under the first.
 */
import { byName } from '../gateway/voices/names.ts';
import BY_LANGUAGE from './voices.json' with { type: 'json' };

export const listVoices = () => byName(BY_LANGUAGE);
