import { type Voices, voicesOf } from '../gateway/voices/speech.ts';

/**
 * Languages of text to speech, each read by its default voice, from the enumeration `CallsLanguage` of
 * infobip-api-java-client. Norwegian is `false` there, as YAML reads the `no` of its source.
 */
export const VOICES: Voices<string> = {
  ...voicesOf(
    String,
    'ar bg bn ca cs da de de-at de-ch el en en-au en-ca en-gb en-ie en-in es es-ar es-mx fi fil-ph fr ' +
      'fr-ca fr-ch he hi hr hu id is it ja kk-kz ko mr-in ms nl pl pt-pt pt-br ro ru sk sl sv sw-tz ta te ' +
      'th tr uk ur-pk uz-uz vi',
  ),
  en: 'en',
  nb: 'no',
  'zh-Hans': 'zh-cn',
  'zh-Hant': 'zh-tw',
};
