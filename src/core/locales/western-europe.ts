import type { Wording } from './wording.ts';

export const WESTERN_EUROPE: Readonly<Record<string, Wording>> = {
  en: {
    sms: '{{code}} is your {{brand}} code.',
    warning: 'Do not share it with anyone.',
    voice: 'Your {{brand}} code is: {{code}}.',
  },
  ca: {
    sms: '{{code}} és el teu codi per a {{brand}}.',
    warning: 'No el comparteixis.',
    voice: 'El teu codi per a {{brand}} és: {{code}}.',
  },
  da: {
    sms: '{{code}} er din kode til {{brand}}.',
    warning: 'Del den ikke med nogen.',
    voice: 'Din kode til {{brand}} er: {{code}}.',
  },
  de: {
    sms: '{{code}} ist Ihr Code für {{brand}}.',
    warning: 'Geben Sie ihn nicht weiter.',
    voice: 'Ihr Code für {{brand}} lautet: {{code}}.',
  },
  es: {
    sms: '{{code}} es tu código de {{brand}}.',
    warning: 'No lo compartas con nadie.',
    voice: 'Tu código de {{brand}} es: {{code}}.',
  },
  fi: {
    sms: '{{code}} on koodisi palveluun {{brand}}.',
    warning: 'Älä kerro sitä kenellekään.',
    voice: 'Koodisi palveluun {{brand}} on: {{code}}.',
  },
  fr: {
    sms: '{{code}} est votre code {{brand}}.',
    warning: 'Ne le communiquez à personne.',
    voice: 'Votre code {{brand}} est : {{code}}.',
  },
  is: {
    sms: '{{code}} er kóðinn þinn fyrir {{brand}}.',
    warning: 'Ekki deila honum.',
    voice: 'Kóðinn þinn fyrir {{brand}} er: {{code}}.',
  },
  it: {
    sms: '{{code}} è il tuo codice {{brand}}.',
    warning: 'Non condividerlo con nessuno.',
    voice: 'Il tuo codice {{brand}} è: {{code}}.',
  },
  nb: {
    sms: '{{code}} er koden din for {{brand}}.',
    warning: 'Ikke del den med noen.',
    voice: 'Koden din for {{brand}} er: {{code}}.',
  },
  nl: {
    sms: '{{code}} is je code voor {{brand}}.',
    warning: 'Deel deze code met niemand.',
    voice: 'Je code voor {{brand}} is: {{code}}.',
  },
  pt: {
    sms: '{{code}} é o seu código {{brand}}.',
    warning: 'Não o partilhe com ninguém.',
    voice: 'O seu código {{brand}} é: {{code}}.',
  },
  'pt-BR': {
    sms: '{{code}} é seu código {{brand}}.',
    warning: 'Não compartilhe com ninguém.',
    voice: 'Seu código {{brand}} é: {{code}}.',
  },
  sv: {
    sms: '{{code}} är din kod för {{brand}}.',
    warning: 'Dela den inte med någon.',
    voice: 'Din kod för {{brand}} är: {{code}}.',
  },
};
