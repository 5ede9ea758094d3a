import type { Wording } from './wording.ts';

/** The Near and Middle East, the Caucasus, Central Asia and Africa. */
export const WESTERN_ASIA_AND_AFRICA: Readonly<Record<string, Wording>> = {
  am: {
    text: '{{code}} የእርስዎ {{brand}} ኮድ ነው።',
    warning: 'ለማንም አያጋሩ።',
    speech: 'የእርስዎ {{brand}} ኮድ፦ {{code}}።',
    pause: '፣ ',
  },
  ar: {
    text: '{{code}} هو رمز {{brand}} الخاص بك.',
    warning: 'لا تشاركه مع أحد.',
    speech: 'رمز {{brand}} الخاص بك هو: {{code}}.',
    pause: '، ',
  },
  az: {
    text: '{{code}}, {{brand}} kodunuzdur.',
    warning: 'Onu heç kimlə paylaşmayın.',
    speech: '{{brand}} kodunuz: {{code}}.',
  },
  fa: {
    text: '{{code}} کد {{brand}} شما است.',
    warning: 'آن را به کسی ندهید.',
    speech: 'کد {{brand}} شما: {{code}}.',
    pause: '، ',
  },
  he: {
    text: '{{code}} הוא הקוד שלך ל-{{brand}}.',
    warning: 'אין לשתף אותו עם אף אחד.',
    speech: 'הקוד שלך ל-{{brand}} הוא: {{code}}.',
  },
  hy: {
    text: '{{code}} — ձեր {{brand}} կոդը։',
    warning: 'Ոչ ոքի մի հայտնեք։',
    speech: 'Ձեր {{brand}} կոդն է՝ {{code}}։',
  },
  ka: {
    text: '{{code}} არის თქვენი {{brand}} კოდი.',
    warning: 'არავის გაუზიაროთ.',
    speech: 'თქვენი {{brand}} კოდია: {{code}}.',
  },
  kk: {
    text: '{{code}} — сіздің {{brand}} кодыңыз.',
    warning: 'Оны ешкімге айтпаңыз.',
    speech: 'Сіздің {{brand}} кодыңыз: {{code}}.',
  },
  mn: {
    text: '{{code}} бол таны {{brand}} код.',
    warning: 'Хэнд ч бүү хэлээрэй.',
    speech: 'Таны {{brand}} код: {{code}}.',
  },
  sw: {
    text: '{{code}} ni msimbo wako wa {{brand}}.',
    warning: 'Usimwambie mtu yeyote.',
    speech: 'Msimbo wako wa {{brand}} ni: {{code}}.',
  },
  tr: {
    text: '{{code}}, {{brand}} kodunuzdur.',
    warning: 'Kimseyle paylaşmayın.',
    speech: '{{brand}} kodunuz: {{code}}.',
  },
  ur: {
    text: '{{code}} آپ کا {{brand}} کوڈ ہے۔',
    warning: 'اسے کسی کو نہ بتائیں۔',
    speech: 'آپ کا {{brand}} کوڈ ہے: {{code}}۔',
    pause: '، ',
  },
  uz: {
    text: '{{code}} - sizning {{brand}} kodingiz.',
    warning: 'Uni hech kimga aytmang.',
    speech: 'Sizning {{brand}} kodingiz: {{code}}.',
  },
};
