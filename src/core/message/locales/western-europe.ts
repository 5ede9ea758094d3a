import type { Wording } from './wording.ts';

export const WESTERN_EUROPE: Readonly<Record<string, Wording>> = {
  en: {
    text: '{{code}} is your {{brand}} code.',
    warning: 'Do not share it with anyone.',
    speech: 'Your {{brand}} code is: {{code}}.',
  },
  ca: {
    text: '{{code}} és el teu codi per a {{brand}}.',
    warning: 'No el comparteixis.',
    speech: 'El teu codi per a {{brand}} és: {{code}}.',
  },
  da: {
    text: '{{code}} er din kode til {{brand}}.',
    warning: 'Del den ikke med nogen.',
    speech: 'Din kode til {{brand}} er: {{code}}.',
  },
  de: {
    text: '{{code}} ist Ihr Code für {{brand}}.',
    warning: 'Geben Sie ihn nicht weiter.',
    speech: 'Ihr Code für {{brand}} lautet: {{code}}.',
  },
  es: {
    text: '{{code}} es tu código de {{brand}}.',
    warning: 'No lo compartas con nadie.',
    speech: 'Tu código de {{brand}} es: {{code}}.',
  },
  fi: {
    text: '{{code}} on koodisi palveluun {{brand}}.',
    warning: 'Älä kerro sitä kenellekään.',
    speech: 'Koodisi palveluun {{brand}} on: {{code}}.',
  },
  fr: {
    text: '{{code}} est votre code {{brand}}.',
    warning: 'Ne le communiquez à personne.',
    speech: 'Votre code {{brand}} est : {{code}}.',
  },
  is: {
    text: '{{code}} er kóðinn þinn fyrir {{brand}}.',
    warning: 'Ekki deila honum.',
    speech: 'Kóðinn þinn fyrir {{brand}} er: {{code}}.',
  },
  it: {
    text: '{{code}} è il tuo codice {{brand}}.',
    warning: 'Non condividerlo con nessuno.',
    speech: 'Il tuo codice {{brand}} è: {{code}}.',
  },
  nb: {
    text: '{{code}} er koden din for {{brand}}.',
    warning: 'Ikke del den med noen.',
    speech: 'Koden din for {{brand}} er: {{code}}.',
  },
  nl: {
    text: '{{code}} is je code voor {{brand}}.',
    warning: 'Deel deze code met niemand.',
    speech: 'Je code voor {{brand}} is: {{code}}.',
  },
  pt: {
    text: '{{code}} é o seu código {{brand}}.',
    warning: 'Não o partilhe com ninguém.',
    speech: 'O seu código {{brand}} é: {{code}}.',
  },
  'pt-BR': {
    text: '{{code}} é seu código {{brand}}.',
    warning: 'Não compartilhe com ninguém.',
    speech: 'Seu código {{brand}} é: {{code}}.',
  },
  sv: {
    text: '{{code}} är din kod för {{brand}}.',
    warning: 'Dela den inte med någon.',
    speech: 'Din kod för {{brand}} är: {{code}}.',
  },
};
