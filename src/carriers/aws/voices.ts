import type { Voices } from '../gateway/voices/speech.ts';

/**
 * An Amazon Polly voice for each language that SendVoiceMessage has one for, from the enumeration `VoiceId` of
 * @aws-sdk/client-pinpoint-sms-voice-v2 3.1138.0 (npm). Polly's list of voices says which language each one speaks.
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
