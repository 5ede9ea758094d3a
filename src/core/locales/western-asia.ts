import type { Wording } from './wording.ts';

/** The Near and Middle East, the Caucasus, Central Asia and Africa. */
export const WESTERN_ASIA_AND_AFRICA: Readonly<Record<string, Wording>> = {
  am: {
    sms: '{{code}} የእርስዎ {{brand}} ኮድ ነው።',
    warning: 'ለማንም አያጋሩ።',
    voice: 'የእርስዎ {{brand}} ኮድ፦ {{code}}።',
    pause: '፣ ',
  },
  ar: {
    sms: '{{code}} هو رمز {{brand}} الخاص بك.',
    warning: 'لا تشاركه مع أحد.',
    voice: 'رمز {{brand}} الخاص بك هو: {{code}}.',
    pause: '، ',
  },
  az: {
    sms: '{{code}}, {{brand}} kodunuzdur.',
    warning: 'Onu heç kimlə paylaşmayın.',
    voice: '{{brand}} kodunuz: {{code}}.',
  },
  fa: {
    sms: '{{code}} کد {{brand}} شما است.',
    warning: 'آن را به کسی ندهید.',
    voice: 'کد {{brand}} شما: {{code}}.',
    pause: '، ',
  },
  he: {
    sms: '{{code}} הוא הקוד שלך ל-{{brand}}.',
    warning: 'אין לשתף אותו עם אף אחד.',
    voice: 'הקוד שלך ל-{{brand}} הוא: {{code}}.',
  },
  hy: {
    sms: '{{code}} — ձեր {{brand}} կոդը։',
    warning: 'Ոչ ոքի մի հայտնեք։',
    voice: 'Ձեր {{brand}} կոդն է՝ {{code}}։',
  },
  ka: {
    sms: '{{code}} არის თქვენი {{brand}} კოდი.',
    warning: 'არავის გაუზიაროთ.',
    voice: 'თქვენი {{brand}} კოდია: {{code}}.',
  },
  kk: {
    sms: '{{code}} — сіздің {{brand}} кодыңыз.',
    warning: 'Оны ешкімге айтпаңыз.',
    voice: 'Сіздің {{brand}} кодыңыз: {{code}}.',
  },
  mn: {
    sms: '{{code}} бол таны {{brand}} код.',
    warning: 'Хэнд ч бүү хэлээрэй.',
    voice: 'Таны {{brand}} код: {{code}}.',
  },
  sw: {
    sms: '{{code}} ni msimbo wako wa {{brand}}.',
    warning: 'Usimwambie mtu yeyote.',
    voice: 'Msimbo wako wa {{brand}} ni: {{code}}.',
  },
  tr: {
    sms: '{{code}}, {{brand}} kodunuzdur.',
    warning: 'Kimseyle paylaşmayın.',
    voice: '{{brand}} kodunuz: {{code}}.',
  },
  ur: {
    sms: '{{code}} آپ کا {{brand}} کوڈ ہے۔',
    warning: 'اسے کسی کو نہ بتائیں۔',
    voice: 'آپ کا {{brand}} کوڈ ہے: {{code}}۔',
    pause: '، ',
  },
  uz: {
    sms: '{{code}} - sizning {{brand}} kodingiz.',
    warning: 'Uni hech kimga aytmang.',
    voice: 'Sizning {{brand}} kodingiz: {{code}}.',
  },
};
