import type { Wording } from './wording.ts';

export const EASTERN_EUROPE: Readonly<Record<string, Wording>> = {
  bg: {
    text: '{{code}} е вашият код за {{brand}}.',
    warning: 'Не го споделяйте с никого.',
    speech: 'Вашият код за {{brand}} е: {{code}}.',
  },
  bs: {
    text: '{{code}} je vaš kod za {{brand}}.',
    warning: 'Ne dijelite ga ni s kim.',
    speech: 'Vaš kod za {{brand}} je: {{code}}.',
  },
  cs: {
    text: '{{code}} je váš kód pro {{brand}}.',
    warning: 'Nikomu ho nesdělujte.',
    speech: 'Váš kód pro {{brand}} je: {{code}}.',
  },
  el: {
    text: '{{code}} είναι ο κωδικός σας για {{brand}}.',
    warning: 'Μην τον δώσετε σε κανέναν.',
    speech: 'Ο κωδικός σας για {{brand}} είναι: {{code}}.',
  },
  et: {
    text: '{{code}} on sinu {{brand}} kood.',
    warning: 'Ära jaga seda kellegagi.',
    speech: 'Sinu {{brand}} kood on: {{code}}.',
  },
  hr: {
    text: '{{code}} je vaš kod za {{brand}}.',
    warning: 'Ne dijelite ga ni s kim.',
    speech: 'Vaš kod za {{brand}} je: {{code}}.',
  },
  hu: {
    text: '{{code}} az Ön {{brand}}-kódja.',
    warning: 'Ne ossza meg senkivel.',
    speech: 'Az Ön {{brand}}-kódja: {{code}}.',
  },
  lt: {
    text: '{{code}} yra jūsų {{brand}} kodas.',
    warning: 'Niekam jo neatskleiskite.',
    speech: 'Jūsų {{brand}} kodas: {{code}}.',
  },
  lv: {
    text: '{{code}} ir jūsu {{brand}} kods.',
    warning: 'Neizpaudiet to nevienam.',
    speech: 'Jūsu {{brand}} kods ir: {{code}}.',
  },
  mk: {
    text: '{{code}} е вашиот код за {{brand}}.',
    warning: 'Не го споделувајте со никого.',
    speech: 'Вашиот код за {{brand}} е: {{code}}.',
  },
  pl: {
    text: '{{code}} to Twój kod {{brand}}.',
    warning: 'Nikomu go nie podawaj.',
    speech: 'Twój kod {{brand}} to: {{code}}.',
  },
  ro: {
    text: '{{code}} este codul dvs. {{brand}}.',
    warning: 'Nu îl comunicați nimănui.',
    speech: 'Codul dumneavoastră {{brand}} este: {{code}}.',
  },
  ru: {
    text: '{{code}} — ваш код {{brand}}.',
    warning: 'Никому его не сообщайте.',
    speech: 'Ваш код {{brand}}: {{code}}.',
  },
  sk: {
    text: '{{code}} je váš kód pre {{brand}}.',
    warning: 'Nikomu ho neprezrádzajte.',
    speech: 'Váš kód pre {{brand}} je: {{code}}.',
  },
  sl: {
    text: '{{code}} je vaša koda za {{brand}}.',
    warning: 'Ne delite je z nikomer.',
    speech: 'Vaša koda za {{brand}} je: {{code}}.',
  },
  sq: {
    text: '{{code}} është kodi juaj për {{brand}}.',
    warning: 'Mos e ndani me askënd.',
    speech: 'Kodi juaj për {{brand}} është: {{code}}.',
  },
  'sr-Latn': {
    text: '{{code}} je vaš kod za {{brand}}.',
    warning: 'Ne delite ga ni sa kim.',
    speech: 'Vaš kod za {{brand}} je: {{code}}.',
  },
  uk: {
    text: '{{code}} — ваш код {{brand}}.',
    warning: 'Нікому його не повідомляйте.',
    speech: 'Ваш код {{brand}}: {{code}}.',
  },
};
