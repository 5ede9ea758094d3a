import type { Wording } from './wording.ts';

export const EASTERN_EUROPE: Readonly<Record<string, Wording>> = {
  bg: {
    sms: '{{code}} е вашият код за {{brand}}.',
    warning: 'Не го споделяйте с никого.',
    voice: 'Вашият код за {{brand}} е: {{code}}.',
  },
  bs: {
    sms: '{{code}} je vaš kod za {{brand}}.',
    warning: 'Ne dijelite ga ni s kim.',
    voice: 'Vaš kod za {{brand}} je: {{code}}.',
  },
  cs: {
    sms: '{{code}} je váš kód pro {{brand}}.',
    warning: 'Nikomu ho nesdělujte.',
    voice: 'Váš kód pro {{brand}} je: {{code}}.',
  },
  el: {
    sms: '{{code}} είναι ο κωδικός σας για {{brand}}.',
    warning: 'Μην τον δώσετε σε κανέναν.',
    voice: 'Ο κωδικός σας για {{brand}} είναι: {{code}}.',
  },
  et: {
    sms: '{{code}} on sinu {{brand}} kood.',
    warning: 'Ära jaga seda kellegagi.',
    voice: 'Sinu {{brand}} kood on: {{code}}.',
  },
  hr: {
    sms: '{{code}} je vaš kod za {{brand}}.',
    warning: 'Ne dijelite ga ni s kim.',
    voice: 'Vaš kod za {{brand}} je: {{code}}.',
  },
  hu: {
    sms: '{{code}} az Ön {{brand}}-kódja.',
    warning: 'Ne ossza meg senkivel.',
    voice: 'Az Ön {{brand}}-kódja: {{code}}.',
  },
  lt: {
    sms: '{{code}} yra jūsų {{brand}} kodas.',
    warning: 'Niekam jo neatskleiskite.',
    voice: 'Jūsų {{brand}} kodas: {{code}}.',
  },
  lv: {
    sms: '{{code}} ir jūsu {{brand}} kods.',
    warning: 'Neizpaudiet to nevienam.',
    voice: 'Jūsu {{brand}} kods ir: {{code}}.',
  },
  mk: {
    sms: '{{code}} е вашиот код за {{brand}}.',
    warning: 'Не го споделувајте со никого.',
    voice: 'Вашиот код за {{brand}} е: {{code}}.',
  },
  pl: {
    sms: '{{code}} to Twój kod {{brand}}.',
    warning: 'Nikomu go nie podawaj.',
    voice: 'Twój kod {{brand}} to: {{code}}.',
  },
  ro: {
    sms: '{{code}} este codul dvs. {{brand}}.',
    warning: 'Nu îl comunicați nimănui.',
    voice: 'Codul dumneavoastră {{brand}} este: {{code}}.',
  },
  ru: {
    sms: '{{code}} — ваш код {{brand}}.',
    warning: 'Никому его не сообщайте.',
    voice: 'Ваш код {{brand}}: {{code}}.',
  },
  sk: {
    sms: '{{code}} je váš kód pre {{brand}}.',
    warning: 'Nikomu ho neprezrádzajte.',
    voice: 'Váš kód pre {{brand}} je: {{code}}.',
  },
  sl: {
    sms: '{{code}} je vaša koda za {{brand}}.',
    warning: 'Ne delite je z nikomer.',
    voice: 'Vaša koda za {{brand}} je: {{code}}.',
  },
  sq: {
    sms: '{{code}} është kodi juaj për {{brand}}.',
    warning: 'Mos e ndani me askënd.',
    voice: 'Kodi juaj për {{brand}} është: {{code}}.',
  },
  'sr-Latn': {
    sms: '{{code}} je vaš kod za {{brand}}.',
    warning: 'Ne delite ga ni sa kim.',
    voice: 'Vaš kod za {{brand}} je: {{code}}.',
  },
  uk: {
    sms: '{{code}} — ваш код {{brand}}.',
    warning: 'Нікому його не повідомляйте.',
    voice: 'Ваш код {{brand}}: {{code}}.',
  },
};
