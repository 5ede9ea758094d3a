/**
 * The voices of SendVoiceMessage, by the language that each speaks: the enumeration `VoiceId` of
 * @aws-sdk/client-pinpoint-sms-voice-v2 3.1138.0 (npm), and Polly's list of voices for their languages
 * (Amazon Polly Developer Guide, "Standard voices", compared on 2026-11-23).
 */
import { byName } from '../gateway/voices/names.ts';

const POLLY: Readonly<Record<string, string>> = {
  ar: 'ZEINA',
  cy: 'GWYNETH',
  da: 'MADS NAJA',
  de: 'HANS MARLENE VICKI',
  en: 'AMY BRIAN EMMA GERAINT IVY JOANNA JOEY JUSTIN KENDRA KIMBERLY MATTHEW NICOLE RAVEENA RUSSELL SALLI',
  es: 'CONCHITA ENRIQUE LUCIA LUPE MIA MIGUEL PENELOPE',
  fr: 'CELINE CHANTAL LEA MATHIEU',
  is: 'DORA KARL',
  it: 'BIANCA CARLA GIORGIO',
  ja: 'MIZUKI TAKUMI',
  ko: 'SEOYEON',
  nb: 'LIV',
  nl: 'LOTTE RUBEN',
  pl: 'EWA JACEK JAN MAJA',
  pt: 'CAMILA CRISTIANO INES RICARDO VITORIA',
  ro: 'CARMEN',
  ru: 'MAXIM TATYANA',
  sv: 'ASTRID',
  tr: 'FILIZ',
  zh: 'ZHIYU',
};

export const listVoices = () => byName(POLLY);
