import type { Voices } from '../gateway/speech.ts';

/**
 * A voice of Amazon Polly for each language that has one among those that SendVoiceMessage takes: the enumeration `VoiceId` of
 * @aws-sdk/client-pinpoint-sms-voice-v2 3.1138.0 (npm). Which language each speaks is in Polly's list of voices.
 */
export const VOICES: Voices<string> = {
  ar: 'ZEINA',
  da: 'NAJA',
  de: 'VICKI',
  en: 'JOANNA',
  'en-AU': 'NICOLE',
  'en-GB': 'AMY',
  'en-IN': 'RAVEENA',
  es: 'LUCIA',
  'es-MX': 'MIA',
  'es-US': 'LUPE',
  fr: 'LEA',
  'fr-CA': 'CHANTAL',
  is: 'DORA',
  it: 'BIANCA',
  ja: 'MIZUKI',
  ko: 'SEOYEON',
  nb: 'LIV',
  nl: 'LOTTE',
  pl: 'EWA',
  pt: 'INES',
  'pt-BR': 'CAMILA',
  ro: 'CARMEN',
  ru: 'TATYANA',
  sv: 'ASTRID',
  tr: 'FILIZ',
  'zh-Hans': 'ZHIYU',
};
